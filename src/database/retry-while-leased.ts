import { setTimeout as sleep } from 'node:timers/promises';
import { addMilliseconds } from 'date-fns/addMilliseconds';
import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';

/** Each further wait is twice as long. */
const firstWaitMs = 100;

/**
 * Records what was sent to Slack, and retries while the lease lasts and nobody else may send the same
 * message: a database that restarts, or has no connection to spare, must not cause a duplicate.
 */
export async function retryWhileLeased<Result>(
  record: () => Promise<Result>,
  { until, clock, log }: { until: Date; clock: Clock; log: Logger },
): Promise<Result> {
  for (let waitMs = firstWaitMs; ; waitMs *= 2) {
    try {
      return await record();
    } catch (error) {
      if (addMilliseconds(clock(), waitMs) >= until) throw error;
      log.warn({ err: error, waitMs }, 'a sent message could not be recorded yet');
      await sleep(waitMs);
    }
  }
}
