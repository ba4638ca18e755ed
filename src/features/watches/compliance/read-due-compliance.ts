import { newLease } from '../../../database/leases.ts';
import { addMilliseconds } from '../../../dates.ts';
import { createDueWork, type DueWork } from '../../../jobs/due-work.ts';
import { readCompliance } from '../../compliance/index.ts';
import type { LeasedComplianceWatch } from '../store/compliance-watch-store.ts';
import type { WatchWork } from '../watch-work.ts';

/** How often a policy is read. */
const intervalMs = 60 * 60_000;
const timeoutMs = 20_000;
/** Longer than a reading takes. After a failure, its end is when the next attempt starts. */
const leaseMs = 10 * 60_000;

/**
 * Reads the policies whose watches are due, one call each, one at a time of a connection, and queues a
 * message for each that rose above its limit; any number of processes may do so at once.
 */
export function createComplianceReader({
  complianceWatches,
  openService,
  clock,
  log,
}: Pick<WatchWork, 'complianceWatches' | 'openService' | 'clock' | 'log'>): DueWork {
  return createDueWork<LeasedComplianceWatch>({
    async lease(limit, active) {
      const leased: LeasedComplianceWatch[] = [];
      while (leased.length < limit) {
        const lease = newLease(clock, leaseMs);
        const claim = complianceWatches.claimDue(lease, [...active, ...leased]);
        // The watches that are leased already are read in any case.
        const watch = await (leased.length > 0 ? claim.catch(() => undefined) : claim);
        if (!watch) break;
        leased.push(watch);
      }
      return leased;
    },
    // Others of the same connection.
    leasesAfterEach: true,
    async work(leased) {
      const { teamId, originId, policy } = leased.read();
      const service = await openService(teamId, { originId });
      const signal = AbortSignal.timeout(timeoutMs);
      const reading = service && (await readCompliance(service.client, policy.id, signal));
      if (reading?.outcome === 'failed') throw reading.error;
      const { at } = leased.lease;
      await complianceWatches.finish(leased, {
        count: reading?.outcome === 'read' ? reading.statistics.nonCompliantCount : undefined,
        at,
        nextReadAt: addMilliseconds(at, intervalMs),
      });
    },
    onFailed: ({ id }, error) =>
      log.warn({ watchId: id, err: error }, 'a watched policy could not be read'),
  });
}
