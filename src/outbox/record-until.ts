import { setTimeout as sleep } from 'node:timers/promises';
import { addMilliseconds } from 'date-fns/addMilliseconds';
import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import { timings } from './timings.ts';

/**
 * Records what Slack has taken, again and again while nobody else may send it: a database that
 * restarts, or has no connection to spare, must not make it be said twice.
 */
export async function recordUntil(
  end: Date,
  record: () => Promise<void>,
  { clock, log }: { clock: Clock; log: Logger },
): Promise<void> {
  for (let waitMs: number = timings.firstRecordMs; ; waitMs *= 2) {
    try {
      return await record();
    } catch (error) {
      if (addMilliseconds(clock(), waitMs) >= end) throw error;
      log.warn({ err: error, waitMs }, 'what was said could not be recorded yet');
      await sleep(waitMs);
    }
  }
}
