import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import PQueue from 'p-queue';
import { addMilliseconds, subDays } from '../dates.ts';
import { type DeliverDependencies, deliverNext } from './deliver-next.ts';
import type { OutboxStore } from './store/outbox-store.ts';
import { timings } from './timings.ts';

export type Delivery = {
  /**
   * Starts to send what is due, at most one message a channel, and returns once that has started:
   * a channel that is slow to answer delays no other. To be called several times a second.
   */
  deliver: () => Promise<void>;
  /** Resolves when everything that was started is done. */
  settled: () => Promise<void>;
  /** Deletes messages sent long ago, which can then no longer be edited. */
  prune: () => Promise<void>;
};

/**
 * Sends what waits in the outbox, in any number of processes at once. Each message is sent at least
 * once: again, if the process dies between Slack's answer and its record, or the answer is lost.
 */
export function createDelivery(dependencies: DeliverDependencies): Delivery {
  const { store, clock, log } = dependencies;
  const limited = { ...dependencies, store: limitQueries(store, timings.maxConcurrentQueries) };
  const running = new Set<Promise<void>>();

  return {
    async deliver() {
      const limit = timings.maxConcurrent - running.size;
      if (limit <= 0) return;
      const at = clock();
      const until = addMilliseconds(at, timings.leaseMs);
      for (const channel of await store.leaseChannels({ holder: randomUUID(), at, until, limit })) {
        // After a failure here, other than Slack's, the channel is free when its lease runs out.
        const delivering = deliverNext(channel, limited)
          .catch((error: unknown) => {
            const { teamId, channelId } = channel;
            log.error({ teamId, channelId, err: error }, 'a channel could not be served');
          })
          .finally(() => running.delete(delivering));
        running.add(delivering);
      }
    },

    async settled() {
      await Promise.all(running);
    },

    async prune() {
      const now = clock();
      await store.prune({
        before: subDays(now, timings.retentionDays),
        groupedBefore: subDays(now, timings.groupedRetentionDays),
      });
    },
  };
}

/**
 * The same store with at most `max` queries at a time. Each may wait for the lock of its channel,
 * and occupies a connection meanwhile that people's commands need as well.
 */
function limitQueries(store: OutboxStore, max: number): OutboxStore {
  const queue = new PQueue({ concurrency: max });
  const limited =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    (...args: Args) =>
      // Otherwise the queue would run it in the trace of the previous call.
      queue.add(AsyncLocalStorage.bind(() => call(...args)));
  return {
    leaseChannels: store.leaseChannels,
    readQueue: limited(store.readQueue),
    recordMessage: limited(store.recordMessage),
    recordSummary: limited(store.recordSummary),
    recordRefusal: limited(store.recordRefusal),
    repostLater: limited(store.repostLater),
    releaseUntil: limited(store.releaseUntil),
    postpone: limited(store.postpone),
    postponeEdit: limited(store.postponeEdit),
    pauseEdits: limited(store.pauseEdits),
    abandon: limited(store.abandon),
    prune: store.prune,
  };
}
