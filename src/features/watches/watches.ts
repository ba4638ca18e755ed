import { type Pace, usualPace } from './pace.ts';
import type { PollDependencies } from './poll-connection.ts';
import { createWatchPoller, type WatchPoller } from './poller.ts';
import type { WatchStore } from './watch-store.ts';

export type { Pace, WatchPoller };

export type Watches = WatchPoller & {
  /** Delivery found out that nobody can post there any more. */
  onUnreachable: (channel: { teamId: string; channelId: string }) => Promise<void>;
  /** Forgets what is long over; once an hour is often enough. */
  forget: () => Promise<void>;
};

const rememberedMs = 90 * 24 * 60 * 60_000;

/** The part of the watches that works by itself. */
export function createWatches({
  watchStore,
  pace = usualPace,
  ...given
}: Omit<PollDependencies, 'pace'> & {
  watchStore: WatchStore;
  newId: () => string;
  pace?: Pace | undefined;
}): Watches {
  const { clock } = given;
  return {
    ...createWatchPoller({ ...given, pace }),
    async onUnreachable({ teamId, channelId }) {
      await watchStore.pause({ teamId, channelId, why: outOfReach, at: clock() });
    },
    forget: () => watchStore.forget(new Date(clock().getTime() - rememberedMs)),
  };
}

const outOfReach =
  'Belay could not post here any more. Invite it again, then run `/belay watch` once.';
