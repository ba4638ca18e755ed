import type { LocalState } from './state.ts';
import type { WorkspacePerson } from './workspace.ts';

/** A channel, or a person's direct message with the app. */
export type StoredConversation = {
  channelId: string;
  name: string;
  kind: 'channel' | 'direct';
  memberIds: string[];
  appIsMember: boolean;
};

/** Derived from the person's id, so that tests know it without asking. */
export const directChannelId = (slackUserId: string): string => `D${slackUserId.slice(1)}`;

const channels = (state: LocalState): StoredConversation[] =>
  state.workspace.channels.map((channel) => ({
    channelId: channel.channelId,
    name: channel.name,
    kind: 'channel',
    memberIds: channel.members ?? [...state.people.keys()],
    appIsMember: channel.appIsMember !== false,
  }));

const direct = (state: LocalState, person: WorkspacePerson): StoredConversation => ({
  channelId: directChannelId(person.slackUserId),
  name: state.workspace.app.name,
  kind: 'direct',
  memberIds: [person.slackUserId],
  appIsMember: true,
});

/** The conversations in a person's sidebar: their channels, then the app. */
export const listConversations = (
  state: LocalState,
  person: WorkspacePerson,
): StoredConversation[] => [
  ...channels(state).filter((conversation) => conversation.memberIds.includes(person.slackUserId)),
  direct(state, person),
];

/** Finds a conversation by a channel's id or `#name`, or by a person's id. */
export const findConversation = (
  state: LocalState,
  named: string,
): StoredConversation | undefined => {
  const person = state.people.get(named);
  if (person) return direct(state, person);
  const all = [...channels(state), ...[...state.people.values()].map((one) => direct(state, one))];
  return all.find(
    (conversation) =>
      conversation.channelId === named ||
      (conversation.kind === 'channel' && `#${conversation.name}` === named),
  );
};

export const findConversationOf = (
  state: LocalState,
  person: WorkspacePerson,
  channelId: string,
): StoredConversation | undefined =>
  listConversations(state, person).find((conversation) => conversation.channelId === channelId);
