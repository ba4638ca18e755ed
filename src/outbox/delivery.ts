import { addMilliseconds } from 'date-fns/addMilliseconds';
import { subDays } from 'date-fns/subDays';
import { fewAtOnce } from './few-at-once.ts';
import { type ServeDependencies, serveChannel } from './serve-channel.ts';
import { timings } from './timings.ts';

export type Delivery = {
  /**
   * Begins to send what is due: at most one message a channel. Returns once that has begun, so that
   * a channel that is slow to answer holds up no other. To be called several times a second.
   */
  deliver: () => Promise<void>;
  /** Waits for what is being sent. */
  settled: () => Promise<void>;
  /** Forgets what was said long ago: it can then no longer be edited. */
  prune: () => Promise<void>;
};

/**
 * Sends what the outbox holds, in any number of processes at once. A message is said at least once:
 * again, if a process dies between Slack's answer and its record, or if the answer was lost.
 */
export function createDelivery(
  dependencies: ServeDependencies & { newId: () => string },
): Delivery {
  const { store, clock, log, newId } = dependencies;
  const serving = { ...dependencies, store: fewAtOnce(store, timings.maxConcurrentQueries) };
  const underWay = new Set<Promise<void>>();

  return {
    async deliver() {
      const limit = timings.maxConcurrent - underWay.size;
      if (limit <= 0) return;
      const at = clock();
      const until = addMilliseconds(at, timings.leaseMs);
      for (const channel of await store.claimChannels({ holder: newId(), at, until, limit })) {
        // One that fails here, not at Slack, is free again when its claim runs out.
        const turn = serveChannel(channel, serving)
          .catch((error: unknown) => {
            const { teamId, channelId } = channel;
            log.error({ teamId, channelId, err: error }, 'a channel could not be served');
          })
          .finally(() => underWay.delete(turn));
        underWay.add(turn);
      }
    },

    async settled() {
      await Promise.all(underWay);
    },

    async prune() {
      const now = clock();
      await store.prune({
        before: subDays(now, timings.rememberedDays),
        groupedBefore: subDays(now, timings.groupedRememberedDays),
      });
    },
  };
}
