import type { Clock } from '../../clock.ts';
import { addHours, addMinutes } from '../../dates.ts';
import type { Logger } from '../../logger.ts';
import type { OpenService } from '../workspaces/index.ts';
import { nextBaseline } from './policy-sample.ts';
import type { ListKnownPolicies } from './read-compliance.ts';
import { readPolicySamples } from './read-policy-samples.ts';
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
/** Ends a call of `sampleCompliance`, however many connections are due. */
export const maxPerCall = 50;

/**
 * Stores the compliance of each connection's policies once a day, digests or not, so that digests can
 * report changes and `/belay compliance` has a history. Any number of processes may call this. A
 * connection whose service fails is tried again later. After `stopping` no other is started.
 */
export async function sampleCompliance(
  { samples, openService, listKnownPolicies, clock, log }: SampleDependencies,
  stopping?: AbortSignal,
): Promise<void> {
  for (let count = 0; count < maxPerCall && !stopping?.aborted; count += 1) {
    // Read for each claim: many slow ones in a row take longer than a lease.
    const now = clock();
    const claim = await samples.claim({ now, leaseUntil: addMinutes(now, retryMinutes) });
    if (!claim) return;
    try {
      const { teamId, connectionId } = claim;
      const service = await openService(teamId, { connectionId });
      // A connection that replaced the claimed one is due by itself.
      if (!service) continue;
      const signal = AbortSignal.timeout(timeoutMs);
      const listKnown = () => listKnownPolicies(claim);
      const read = await readPolicySamples(service.client, signal, listKnown);
      const before = read?.failed.length ? await samples.readAsOf(connectionId, now) : [];
      const readings = read ? nextBaseline(read, before) : [];
      await samples.save(claim, { at: now, nextAt: addHours(now, intervalHours), readings });
    } catch (error) {
      log.warn({ teamId: claim.teamId, err: error }, 'compliance could not be sampled');
    }
  }
}
