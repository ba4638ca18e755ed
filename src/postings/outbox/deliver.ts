import { AsyncLocalStorage } from 'node:async_hooks';
import PQueue from 'p-queue';
import { newLease } from '../../database/leases.ts';
import { subDays } from '../../dates.ts';
import { createDueWork, type DueWork } from '../../jobs/due-work.ts';
import { type DeliverDependencies, deliverNext } from './deliver-next.ts';
import type { OutboxStore } from './store/outbox-store.ts';
import { timings } from './timings.ts';

export type Delivery = {
  /**
   * Sends what is due, at most one message a channel at a time: a channel that is slow to answer delays
   * no other. To be started several times a second.
   */
  deliver: DueWork;
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

  return {
    deliver: createDueWork({
      lease: (limit) => store.leaseChannels(newLease(clock, timings.leaseMs), limit),
      work: (channel) => deliverNext(channel, limited),
      // After a failure other than Slack's, the channel is free when its lease runs out.
      onFailed: ({ teamId, channelId }, error) =>
        log.error({ teamId, channelId, err: error }, 'a channel could not be served'),
      limits: { maxConcurrent: timings.maxConcurrent, maxPerLook: timings.maxPerLook },
    }),

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
