import { randomUUID } from 'node:crypto';
import PQueue from 'p-queue';
import { type Clock, monotonicClock } from '../../../clock.ts';
import type { Lease } from '../../../database/leases.ts';
import { addMilliseconds } from '../../../dates.ts';
import { workConcurrently } from '../../../jobs/work-concurrently.ts';
import type { Logger } from '../../../logger.ts';
import { readCompliance } from '../../compliance/index.ts';
import type { OpenService } from '../../workspaces/index.ts';
import type { ComplianceWatchStore } from '../store/compliance-watch-store.ts';
import { defaultTimings, type Timings } from '../timings.ts';
import type { ComplianceWatch } from './compliance-watch.ts';

type ReadDueDependencies = {
  complianceWatches: ComplianceWatchStore;
  openService: OpenService;
  clock: Clock;
  log: Logger;
  timings?: Pick<Timings, 'complianceIntervalMs'> | undefined;
};

const timeoutMs = 20_000;
/** Longer than a reading takes. After a failure, its end is when the next attempt starts. */
const leaseMs = 10 * 60_000;
/** How many connections one process reads at once: a slow service delays no other. */
const maxConcurrent = 8;
/** Ends a call, however many watches are due. */
const maxPerCall = 500;
/** The same: what becomes due meanwhile waits for the next call. */
const maxCallMs = 60_000;

/**
 * Reads the policies whose watches are due, one call each, one at a time of a connection, and queues a
 * message for each that rose above its limit; any number of processes may do so at once. After
 * `stopping` no other is started.
 */
export async function readDueCompliance(
  { complianceWatches, openService, clock, log, timings }: ReadDueDependencies,
  stopping?: AbortSignal,
): Promise<void> {
  const { complianceIntervalMs } = timings ?? defaultTimings;
  const startedAt = monotonicClock();
  const busy = new Set<ComplianceWatch>();
  // One after the other, or two could claim watches of one connection.
  const claims = new PQueue({ concurrency: 1 });
  async function claim(lease: Lease) {
    const watch = await complianceWatches.claimDue(lease, [...busy]);
    if (watch) busy.add(watch);
    return watch;
  }
  async function readNext(): Promise<boolean> {
    if (monotonicClock() - startedAt > maxCallMs) return false;
    const at = clock();
    const lease = { holder: randomUUID(), at, until: addMilliseconds(at, leaseMs) };
    const watch = await claims.add(() => claim(lease));
    if (!watch) return false;
    try {
      const { originId } = watch;
      const service = await openService(watch.teamId, { originId });
      const signal = AbortSignal.timeout(timeoutMs);
      const reading = service && (await readCompliance(service.client, watch.policy.id, signal));
      if (reading?.outcome === 'failed') throw reading.error;
      await complianceWatches.finish(watch, lease.holder, {
        count: reading?.outcome === 'read' ? reading.statistics.nonCompliantCount : undefined,
        at,
        nextReadAt: addMilliseconds(at, complianceIntervalMs),
      });
    } catch (error) {
      log.warn({ watchId: watch.id, err: error }, 'a watched policy could not be read');
    } finally {
      busy.delete(watch);
    }
    return true;
  }
  await workConcurrently(readNext, { maxConcurrent, maxCalls: maxPerCall, stopping });
}
