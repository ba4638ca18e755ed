import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import { addMilliseconds } from '../dates.ts';
import type { Logger } from '../logger.ts';

/** Each further wait is twice as long. */
const firstWaitMs = 100;

/**
 * Records what was done under a lease, and retries while it lasts and nobody else may do the same: a
 * database that restarts, or has no connection to spare, must not cause a duplicate message or leave
 * work to the end of the lease. `stopping` ends the retries.
 */
export async function retryWhileLeased<Result>(
  record: () => Promise<Result>,
  {
    until,
    clock,
    log,
    stopping,
  }: { until: Date; clock: Clock; log: Logger; stopping?: AbortSignal | undefined },
): Promise<Result> {
  for (let waitMs = firstWaitMs; ; waitMs *= 2) {
    try {
      return await record();
    } catch (error) {
      if (addMilliseconds(clock(), waitMs) >= until || stopping?.aborted) throw error;
      log.warn({ err: error, waitMs }, 'work done under a lease could not be recorded yet');
      // If stopping ends the wait, the next failure is thrown.
      await sleep(waitMs, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
}
