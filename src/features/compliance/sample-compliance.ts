import type { Clock } from '../../clock.ts';
import { addHours, addMinutes } from '../../dates.ts';
import { createDueWork, type DueWork } from '../../jobs/due-work.ts';
import type { Logger } from '../../logger.ts';
import type { OpenService } from '../../workspace/open-service.ts';
import { nextBaseline } from './policy-sample.ts';
import { type ListKnownPolicies, readPolicySamples } from './read-compliance.ts';
import type { ComplianceSamples } from './store/compliance-samples.ts';

type SampleDependencies = {
  samples: ComplianceSamples;
  openService: OpenService;
  listKnownPolicies: ListKnownPolicies;
  clock: Clock;
  log: Logger;
};

const timeoutMs = 60_000;
/** Less than a day, so that no calendar day of any time zone is left out as the times move. */
export const intervalHours = 22;
/** After a failure or a crash. */
const retryMinutes = 30;
/** From one look to the next: reading all policies of a connection takes many calls. */
export const maxPerLook = 50;

/**
 * Stores the compliance of each connection's policies once a day, digests or not, so that digests can
 * report changes and `/belay compliance` has a history. Any number of processes may do so, each for one
 * connection at a time. A connection whose service fails is tried again later.
 */
export function createComplianceSampler({
  samples,
  openService,
  listKnownPolicies,
  clock,
  log,
}: SampleDependencies): DueWork {
  return createDueWork({
    async lease() {
      const now = clock();
      const claim = await samples.claim({ now, leaseUntil: addMinutes(now, retryMinutes) });
      return claim ? [claim] : [];
    },
    async work(claim) {
      const now = clock();
      const { teamId, connectionId } = claim;
      const service = await openService(teamId, { connectionId });
      // A connection that replaced the claimed one is due by itself.
      if (!service) return;
      const signal = AbortSignal.timeout(timeoutMs);
      const listKnown = () => listKnownPolicies(claim);
      const read = await readPolicySamples(service.client, signal, listKnown);
      const before = read?.failed.length ? await samples.readAsOf(connectionId, now) : [];
      const readings = read ? nextBaseline(read, before) : [];
      await samples.save(claim, { at: now, nextAt: addHours(now, intervalHours), readings });
    },
    onFailed: ({ teamId }, error) =>
      log.warn({ teamId, err: error }, 'compliance could not be sampled'),
    limits: { maxConcurrent: 1, maxPerLook },
  });
}
