import type { LocalState } from './state.ts';
import type { WorkspacePerson } from './workspace.ts';

/** A channel, or one person's direct messages with the app. */
export type Place = {
  channelId: string;
  name: string;
  kind: 'channel' | 'direct';
  memberIds: string[];
  appIsMember: boolean;
};

/** Stable, so that a test can name a person's direct messages without asking. */
export const directChannelId = (slackUserId: string): string => `D${slackUserId.slice(1)}`;

const channels = (state: LocalState): Place[] =>
  state.workspace.channels.map((channel) => ({
    channelId: channel.channelId,
    name: channel.name,
    kind: 'channel',
    memberIds: channel.members ?? [...state.people.keys()],
    appIsMember: channel.appIsMember !== false,
  }));

const direct = (state: LocalState, person: WorkspacePerson): Place => ({
  channelId: directChannelId(person.slackUserId),
  name: state.workspace.app.name,
  kind: 'direct',
  memberIds: [person.slackUserId],
  appIsMember: true,
});

/** What a person finds in the side bar: the channels they are in, then the app. */
export const placesOf = (state: LocalState, person: WorkspacePerson): Place[] => [
  ...channels(state).filter((place) => place.memberIds.includes(person.slackUserId)),
  direct(state, person),
];

/** The place an app means by a channel's id, a channel's `#name` or a person's id. */
export const findPlace = (state: LocalState, named: string): Place | undefined => {
  const person = state.people.get(named);
  if (person) return direct(state, person);
  const all = [...channels(state), ...[...state.people.values()].map((one) => direct(state, one))];
  return all.find(
    (place) =>
      place.channelId === named || (place.kind === 'channel' && `#${place.name}` === named),
  );
};

export const findPlaceOf = (
  state: LocalState,
  person: WorkspacePerson,
  channelId: string,
): Place | undefined => placesOf(state, person).find((place) => place.channelId === channelId);
