import { listConversations } from './conversations.ts';
import { isVisibleTo } from './messages.ts';
import { findPerson } from './people.ts';
import type { Conversation, HomeView, Message, OpenView, Person, Snapshot } from './protocol.ts';
import type { Client, LocalState, StoredView } from './state.ts';
import { stackOf } from './view-stack.ts';
import type { WorkspacePerson } from './workspace.ts';

const publicPerson = ({ isHidden: _, ...person }: WorkspacePerson): Person => person;

const publicView = ({ viewId, modal, errors, trouble, isSubmitting }: StoredView): OpenView => ({
  viewId,
  callbackId: modal.callback_id ?? '',
  title: modal.title.text,
  ...(modal.submit ? { submit: modal.submit.text } : {}),
  ...(modal.close ? { close: modal.close.text } : {}),
  blocks: modal.blocks,
  errors,
  ...(trouble ? { trouble } : {}),
  isSubmitting,
});

const publicHome = (
  { homes, workspace }: LocalState,
  slackUserId: string,
): Pick<Snapshot, 'home'> => {
  if (!workspace.app.hasHomeTab) return {};
  const stored = homes.get(slackUserId);
  const view: HomeView | undefined = stored && {
    viewId: stored.viewId,
    blocks: stored.home.blocks,
  };
  return { home: view ? { view } : {} };
};

const readKey = (slackUserId: string, channelId: string): string => `${slackUserId}/${channelId}`;

/** Doing something in a conversation marks it as read. */
export const markRead = (state: LocalState, slackUserId: string, channelId: string): void => {
  state.readUntil.set(readKey(slackUserId, channelId), state.lastMessageTs);
};

const mentionsByMessage = new WeakMap<Message, ReadonlySet<string>>();

/** The mentions in a message: ids of people, and `channel`, `here` or `everyone`. */
const mentionsIn = (message: Message): ReadonlySet<string> => {
  const known = mentionsByMessage.get(message);
  if (known) return known;
  const content = JSON.stringify([message.text, message.blocks]);
  const found = content.matchAll(/<[@!](\w+)|"(?:user_id|range)":"(\w+)"/g);
  const mentions = new Set([...found].map(([, inText = '', inRichText]) => inRichText ?? inText));
  mentionsByMessage.set(message, mentions);
  return mentions;
};

const mentions = (message: Message, slackUserId: string): boolean =>
  !message.isEphemeral &&
  [slackUserId, 'channel', 'here', 'everyone'].some((id) => mentionsIn(message).has(id));

const conversationsOf = (state: LocalState, person: WorkspacePerson): Conversation[] =>
  listConversations(state, person).map(({ channelId, name, kind }) => {
    const messages = state.messages.filter(
      (one) => one.channelId === channelId && isVisibleTo(one, person.slackUserId),
    );
    const read = Number(state.readUntil.get(readKey(person.slackUserId, channelId)) ?? 0);
    const unread = messages.filter(
      (one) => Number(one.messageTs) > read && one.authorId !== person.slackUserId,
    );
    const inBadge =
      kind === 'direct' ? unread : unread.filter((one) => mentions(one, person.slackUserId));
    const counts = { unreadCount: unread.length, badgeCount: inBadge.length };
    return { channelId, name, kind, ...counts, messages };
  });

/** Everything one person sees in one tab. Messages that did not change are the same objects. */
export const snapshotFor = (
  state: LocalState,
  client: Client,
  workspaces: Snapshot['workspaces'],
): Snapshot => {
  const person = findPerson(state, client.slackUserId);
  if (!person) throw new Error(`The workspace has no person ${client.slackUserId}.`);
  const { teamId, name, app } = state.workspace;
  return {
    workspaceName: name,
    teamId,
    workspaces,
    appName: app.name,
    aheadMs: Math.round((state.clock().getTime() - Date.now()) / 1000) * 1000,
    me: publicPerson(person),
    people: [...state.people.values()].filter((one) => !one.isHidden).map(publicPerson),
    userGroups: [...state.userGroups.values()].map(({ groupId, handle }) => ({ groupId, handle })),
    conversations: conversationsOf(state, person),
    ...publicHome(state, client.slackUserId),
    views: stackOf(state, client).map(publicView),
    commands: app.commands,
  };
};
