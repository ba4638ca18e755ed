import type { PollDependencies } from './poll-connection.ts';
import { createWatchPoller, type WatchPoller } from './poller.ts';
import { rememberedAt } from './retention.ts';
import { type Pace, usualPace } from './timings.ts';
import type { WatchStore } from './watch-store.ts';

export type { Pace, WatchPoller };

export type Watches = WatchPoller & {
  /** Forgets what is long over; once an hour is often enough. */
  forget: () => Promise<void>;
};

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
    forget: () => watchStore.forget(rememberedAt(clock())),
  };
}
