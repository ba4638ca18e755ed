import type { Deliver } from './delivery.ts';
import { performGesture } from './gestures.ts';
import { findPerson } from './people.ts';
import type { Gesture, GestureOutcome, Person, Snapshot } from './protocol.ts';
import { snapshotFor } from './snapshot.ts';
import { changed, type LocalState } from './state.ts';
import { type MessageRate, noTraffic, rateKey } from './web-api/message-rate.ts';
import type { UserGroup } from './workspace.ts';

/** What people do and see in one workspace. */
export type LocalWorkspace = {
  /** Performs a gesture. Resolves when the app has acknowledged it, or after the timeout. */
  perform: (slackUserId: string, gesture: Gesture, tabId?: string) => Promise<GestureOutcome>;
  snapshot: (slackUserId: string, tabId?: string) => Snapshot;
  /** Calls the listener after each change. Returns the function that unsubscribes. */
  subscribe: (listener: () => void) => () => void;
  /** The app's rate of messages in this conversation, ephemeral ones not counted. */
  messageRateOf: (channelId: string) => MessageRate;
  setPerson: (slackUserId: string, changes: Partial<Omit<Person, 'slackUserId'>>) => void;
  /** Changes the members of a user group, or disables it. */
  setGroup: (groupId: string, changes: Partial<Omit<UserGroup, 'groupId'>>) => void;
  deleteGroup: (groupId: string) => void;
};

/** The people of one workspace; `deliver` reaches the app from there. */
export const openWorkspace = (
  state: LocalState,
  {
    deliver,
    baseUrl,
    rates,
    workspaces,
  }: {
    deliver: Deliver;
    baseUrl: () => string;
    rates: Map<string, MessageRate>;
    workspaces: Snapshot['workspaces'];
  },
): LocalWorkspace => ({
  perform: async (slackUserId, gesture, tabId = '') => {
    const person = findPerson(state, slackUserId);
    if (!person) return { result: 'refused', reason: 'Person not found.' };
    const client = { slackUserId, tabId };
    return performGesture({ state, person, client, deliver, baseUrl: baseUrl() }, gesture);
  },
  snapshot: (slackUserId, tabId = '') => snapshotFor(state, { slackUserId, tabId }, workspaces),
  subscribe: (listener) => {
    state.listeners.add(listener);
    return () => state.listeners.delete(listener);
  },
  messageRateOf: (channelId) => rates.get(rateKey(state.workspace.teamId, channelId)) ?? noTraffic,
  setPerson: (slackUserId, changes) => {
    const person = findPerson(state, slackUserId);
    if (!person) throw new Error(`The workspace has no person ${slackUserId}.`);
    Object.assign(person, changes);
    changed(state);
  },
  setGroup: (groupId, changes) => {
    const group = state.userGroups.get(groupId);
    if (!group) throw new Error(`The workspace has no user group ${groupId}.`);
    Object.assign(group, changes);
    changed(state);
  },
  deleteGroup: (groupId) => {
    state.userGroups.delete(groupId);
    changed(state);
  },
});
