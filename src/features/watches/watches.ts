import type { PollDependencies } from './poll-connection.ts';
import { createWatchPoller, type WatchPoller } from './poller.ts';
import { rememberedAt } from './retention.ts';
import { defaultTimings, type Timings } from './timings.ts';
import type { WatchStore } from './watch-store.ts';

export type { Timings, WatchPoller };

export type Watches = WatchPoller & {
  /** Forgets what is long over; once an hour is often enough. */
  forget: () => Promise<void>;
};

/** The part of the watches that works by itself. */
export function createWatches({
  watchStore,
  timings = defaultTimings,
  ...given
}: Omit<PollDependencies, 'timings'> & {
  watchStore: WatchStore;
  newId: () => string;
  timings?: Timings | undefined;
}): Watches {
  const { clock } = given;
  return {
    ...createWatchPoller({ ...given, timings }),
    forget: () => watchStore.forget(rememberedAt(clock())),
  };
}
