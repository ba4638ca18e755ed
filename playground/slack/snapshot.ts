import { listConversations } from './conversations.ts';
import { isVisibleTo } from './messages.ts';
import { findPerson } from './people.ts';
import type { Conversation, Message, OpenView, Person, Snapshot } from './protocol.ts';
import type { LocalState, StoredMessage, StoredView } from './state.ts';
import { stackOf } from './view-stack.ts';
import type { WorkspacePerson } from './workspace.ts';

const publicPerson = ({ isHidden: _, ...person }: WorkspacePerson): Person => person;
const publicMessage = ({ visibleTo: _, ...message }: StoredMessage): Message => message;

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

const readKey = (slackUserId: string, channelId: string): string => `${slackUserId}/${channelId}`;

/** Doing something in a conversation marks it as read. */
export const markRead = (state: LocalState, slackUserId: string, channelId: string): void => {
  state.readUntil.set(readKey(slackUserId, channelId), state.lastMessageTs);
};

const conversationsOf = (state: LocalState, person: WorkspacePerson): Conversation[] =>
  listConversations(state, person).map(({ channelId, name, kind }) => {
    const messages = state.messages.filter(
      (one) => one.channelId === channelId && isVisibleTo(one, person.slackUserId),
    );
    const read = Number(state.readUntil.get(readKey(person.slackUserId, channelId)) ?? 0);
    const unread = messages.filter(
      (one) => Number(one.messageTs) > read && one.authorId !== person.slackUserId,
    );
    const shown = messages.map(publicMessage);
    return { channelId, name, kind, unreadCount: unread.length, messages: shown };
  });

/** A copy of everything one person sees. */
export const snapshotFor = (state: LocalState, slackUserId: string): Snapshot => {
  const person = findPerson(state, slackUserId);
  if (!person) throw new Error(`The workspace has no person ${slackUserId}.`);
  const { name, app } = state.workspace;
  return structuredClone({
    workspaceName: name,
    appName: app.name,
    me: publicPerson(person),
    people: [...state.people.values()].filter((one) => !one.isHidden).map(publicPerson),
    conversations: conversationsOf(state, person),
    views: stackOf(state, slackUserId).map(publicView),
    commands: app.commands.map((command) => ({ ...command })),
  });
};
