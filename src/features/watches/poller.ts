import { randomUUID } from 'node:crypto';
import { retryWhileLeased } from '../../database/retry-while-leased.ts';
import { createFailureLog } from '../../logger.ts';
import { retentionCutoffs } from './decide-post.ts';
import { type PollDependencies, pollConnection } from './poll-connection.ts';
import type { WatchStore } from './store/watch-store.ts';
import { defaultTimings, type Timings } from './timings.ts';

/** The part of the watches that runs in the background. */
export type Watches = {
  /** Starts the polls that are due without waiting for them, because one may take hours. */
  begin: () => void;
  /** Runs the polls that are due, to their end. */
  poll: () => Promise<void>;
  /** Deletes what is stored of alerts beyond its retention; once an hour is enough. */
  prune: () => Promise<void>;
  /** Aborts running polls. Nothing is lost: the next one reads the same alerts again. */
  stop: () => Promise<void>;
};

/** Polls the connections that have watches, one after the other, shared with every other process. */
export function createWatches({
  watchStore,
  timings = defaultTimings,
  ...given
}: Omit<PollDependencies, 'timings'> & {
  watchStore: WatchStore;
  timings?: Timings | undefined;
}): Watches {
  const dependencies = { ...given, timings };
  const { store, clock, log } = dependencies;
  const stopping = new AbortController();
  const failures = createFailureLog(log);
  // Repeated with each poll until somebody repairs the row.
  const unreadable = createFailureLog(log);
  const workers = new Set<Promise<void>>();
  let longWalks = 0;
  /** The next worker that looks for a poll first creates the missing ones: once a round. */
  let isNewRound = false;
  const busyWorkers = () => workers.size - longWalks;

  /** Polls until nothing is due. Each poll found starts the next worker, up to the limit. */
  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      const at = clock();
      if (isNewRound) {
        isNewRound = false;
        await store.prepare(at);
      }
      const until = new Date(at.getTime() + timings.leaseMs);
      const holder = randomUUID();
      try {
        const claimed = await store.claim({ holder, at, until });
        if (!claimed) return;
        for (const error of claimed.unreadable) {
          unreadable.failed(
            { ...error.row, err: error },
            "a watch can't be read and posts nothing",
          );
        }
        startWorker();
        await trackLongWalk(pollConnection(claimed, stopping.signal, dependencies));
      } catch (error) {
        await freePoll(holder, until);
        throw error;
      }
      // A long walk let another worker start, so this one may be one too many now.
      if (busyWorkers() > timings.maxPolls) return;
    }
  }

  /**
   * After a failure of the database, which leaves open whether the poll is leased: nobody else would
   * poll the connection before the end of the lease.
   */
  async function freePoll(holder: string, until: Date): Promise<void> {
    const nextPollAt = new Date(clock().getTime() + timings.pollIntervalMs);
    const free = () => store.free(holder, nextPollAt);
    await retryWhileLeased(free, { until, clock, log, stopping: stopping.signal }).catch(
      (error: unknown) => log.warn({ err: error }, 'a poll of alerts could not be freed'),
    );
  }

  /** Starts another worker if the walk takes long, so that a few long walks do not block the rest. */
  async function trackLongWalk(walk: Promise<void>): Promise<void> {
    let isLong = false;
    const timer = setTimeout(() => {
      if (longWalks >= timings.maxLongWalks) return;
      isLong = true;
      longWalks += 1;
      startWorker();
    }, timings.longWalkMs);
    await walk.finally(() => {
      clearTimeout(timer);
      if (isLong) longWalks -= 1;
    });
  }

  function startWorker(): void {
    if (busyWorkers() >= timings.maxPolls || stopping.signal.aborted) return;
    const worker = work()
      .then(failures.succeeded, (error: unknown) =>
        failures.failed({ err: error }, 'watches could not be polled'),
      )
      .finally(() => workers.delete(worker));
    workers.add(worker);
  }

  const settled = async () => {
    while (workers.size > 0) await Promise.all(workers);
  };

  function begin(): void {
    isNewRound = true;
    startWorker();
  }

  return {
    begin,
    async poll() {
      begin();
      await settled();
    },
    prune: () => watchStore.prune(retentionCutoffs(clock())),
    async stop() {
      stopping.abort();
      await settled();
    },
  };
}
