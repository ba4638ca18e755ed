import { withIds } from './elements.ts';
import { SLACKBOT_ID } from './people.ts';
import type { Message, MessageBlock, MessageMetadata } from './protocol.ts';
import { botOf, changed, type LocalState, nextId, nextMessageTs } from './state.ts';
import type { WorkspacePerson } from './workspace.ts';

/** The content of a message, validated and normalized. */
export type Content = {
  text: string;
  blocks?: MessageBlock[];
  threadTs?: string;
  metadata?: MessageMetadata;
};

type Author = Pick<Message, 'authorId' | 'authorName' | 'isApp'>;

const appAuthor = (state: LocalState): Author => ({
  authorId: botOf(state).botUserId,
  authorName: state.workspace.app.name,
  isApp: true,
});

const post = (
  state: LocalState,
  channelId: string,
  author: Author,
  content: Content,
  visibleTo?: string,
): Message => {
  const message: Message = {
    channelId,
    messageTs: nextMessageTs(state),
    ...author,
    text: content.text,
    isEphemeral: visibleTo !== undefined,
    isEdited: false,
  };
  if (content.blocks) message.blocks = withIds(content.blocks, () => nextId(state, 'b'));
  if (content.threadTs) message.threadTs = content.threadTs;
  if (content.metadata) message.metadata = content.metadata;
  if (visibleTo) message.visibleTo = visibleTo;
  state.messages.push(message);
  changed(state);
  state.onMessage(message, 'posted');
  return message;
};

/** Posts as the app. `visibleTo` makes the message ephemeral. */
export const postAsApp = (
  state: LocalState,
  channelId: string,
  content: Content,
  visibleTo?: string,
): Message => post(state, channelId, appAuthor(state), content, visibleTo);

export const postAsPerson = (
  state: LocalState,
  channelId: string,
  person: WorkspacePerson,
  text: string,
): Message => {
  const author = { authorId: person.slackUserId, authorName: person.realName, isApp: false };
  return post(state, channelId, author, { text });
};

/** Posts an ephemeral message by Slackbot. */
export const postAsSlackbot = (
  state: LocalState,
  channelId: string,
  slackUserId: string,
  text: string,
): Message => {
  const author = { authorId: SLACKBOT_ID, authorName: 'Slackbot', isApp: false };
  return post(state, channelId, author, { text }, slackUserId);
};

export const findMessage = (
  state: LocalState,
  channelId: string,
  messageTs: string,
): Message | undefined =>
  state.messages.find(
    (message) => message.channelId === channelId && message.messageTs === messageTs,
  );

/** How many earlier versions of a message can still be clicked. */
const maxEarlier = 10;

/** A client may show these blocks until it hears of the edit. */
const keepBlocks = ({ earlierBlocks }: LocalState, messageTs: string, blocks: MessageBlock[]) => {
  const earlier = earlierBlocks.get(messageTs) ?? [];
  earlierBlocks.set(messageTs, [blocks, ...earlier].slice(0, maxEarlier));
};

/** Replaces the content of a message. As in Slack, blocks that are omitted are removed; metadata stays. */
export const editMessage = (
  state: LocalState,
  { blocks: before, ...kept }: Message,
  { text, blocks }: Content,
): Message => {
  const edited: Message = {
    ...kept,
    text,
    // Slack marks a message as edited only if it shows its text, not its blocks.
    isEdited: blocks === undefined,
    ...(blocks ? { blocks: withIds(blocks, () => nextId(state, 'b')) } : {}),
  };
  if (before) keepBlocks(state, kept.messageTs, before);
  state.messages = state.messages.map((one) => (one.messageTs === kept.messageTs ? edited : one));
  changed(state);
  state.onMessage(edited, 'edited');
  return edited;
};

export const removeMessage = (state: LocalState, message: Message): void => {
  state.messages = state.messages.filter((one) => one !== message);
  changed(state);
};

export const isVisibleTo = (message: Message, slackUserId: string): boolean =>
  message.visibleTo === undefined || message.visibleTo === slackUserId;

/** A message in payloads and Web API answers. */
export const messageObject = (state: LocalState, message: Message) => ({
  type: 'message',
  ts: message.messageTs,
  text: message.text,
  user: message.authorId,
  team: state.workspace.teamId,
  ...(message.isApp ? { bot_id: botOf(state).botId, app_id: state.workspace.app.appId } : {}),
  ...(message.blocks ? { blocks: message.blocks } : {}),
  ...(message.threadTs ? { thread_ts: message.threadTs } : {}),
  ...(message.isEdited ? { edited: { user: message.authorId, ts: message.messageTs } } : {}),
});
