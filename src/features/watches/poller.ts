import { newLease } from '../../database/leases.ts';
import { retryWhileLeased } from '../../database/retry-while-leased.ts';
import { addMilliseconds } from '../../dates.ts';
import { createDueWork, type DueWork } from '../../jobs/due-work.ts';
import { createFailureLog } from '../../logger.ts';
import { retentionCutoffs } from './decide-post.ts';
import { pollConnection } from './poll-connection.ts';
import type { WatchStore } from './store/watch-store.ts';
import { defaultTimings } from './timings.ts';
import type { PollContext } from './watch-work.ts';

/** The part of the watches that runs in the background. */
type Watches = {
  /**
   * Polls the connections that are due. Stopping aborts running polls. Nothing is lost: the next one
   * reads the same alerts again.
   */
  poll: DueWork;
  /** Deletes what is stored of alerts beyond its retention; once an hour is enough. */
  prune: () => Promise<void>;
};

/** Polls the connections that have watches, shared with every other process. */
export function createWatches({
  watchStore,
  timings = defaultTimings,
  ...given
}: Omit<PollContext, 'timings' | 'stopping'> & {
  watchStore: WatchStore;
  timings?: PollContext['timings'] | undefined;
}): Watches {
  const { store, clock, log } = given;
  const stopping = new AbortController();
  const context = { ...given, timings, stopping: stopping.signal };
  const freeing = new Set<Promise<void>>();
  const failures = createFailureLog(log);
  // Repeated with each poll until somebody repairs the row.
  const unreadable = createFailureLog(log);

  /**
   * After a failure of the database, which leaves open whether polls are leased: nobody else would
   * poll their connections before the end of the lease.
   */
  async function retryFreeing(free: (nextPollAt: Date) => Promise<void>): Promise<void> {
    const nextPollAt = addMilliseconds(clock(), timings.pollIntervalMs);
    const until = addMilliseconds(clock(), timings.leaseMs);
    const options = { until, clock, log, stopping: stopping.signal };
    await retryWhileLeased(() => free(nextPollAt), options).catch((error: unknown) =>
      log.warn({ err: error }, 'a poll of alerts could not be freed'),
    );
  }

  const poll = createDueWork({
    prepare: () => store.prepare(clock()),
    async lease(limit) {
      const lease = newLease(clock, timings.leaseMs);
      try {
        return await store.leaseDue(lease, limit);
      } catch (error) {
        // Others are leased meanwhile.
        const retrying = retryFreeing((nextPollAt) => store.free(lease.holder, nextPollAt));
        freeing.add(retrying);
        void retrying.finally(() => freeing.delete(retrying));
        throw error;
      }
    },
    // A poll that has migrated watches is due again at once.
    leasesAfterEach: true,
    async work(poll) {
      try {
        const watches = await store.readWatches(poll);
        for (const error of watches.unreadable) {
          unreadable.failed(
            { ...error.row, err: error },
            "a watch can't be read and posts nothing",
          );
        }
        await pollConnection({ ...poll, ...watches }, context);
        failures.succeeded();
      } catch (error) {
        failures.failed({ err: error }, 'watches could not be polled');
        await retryFreeing((nextPollAt) => store.release(poll, nextPollAt));
      }
    },
    // That a poll takes long is no failure: one may take hours.
    onFailed: () => undefined,
    limits: {
      maxConcurrent: timings.maxPolls,
      limitMs: timings.longWalkMs,
      maxOverdue: timings.maxLongWalks,
    },
  });

  return {
    poll: {
      ...poll,
      async stop() {
        stopping.abort();
        await poll.stop();
        await Promise.all(freeing);
      },
    },
    prune: () => watchStore.prune(retentionCutoffs(clock())),
  };
}
