import { addDays } from 'date-fns/addDays';
import { addMinutes } from 'date-fns/addMinutes';
import type { Clock } from '../../clock.ts';
import type { Logger } from '../../logger.ts';
import type { OpenService } from '../workspaces/index.ts';
import { readPolicySamples } from './collect-compliance.ts';
import { baselineOf } from './compliance-basis.ts';
import type { ComplianceSamples } from './compliance-samples.ts';
import { keptSince } from './kept-since.ts';

export type SampleDependencies = {
  samples: ComplianceSamples;
  openService: OpenService;
  clock: Clock;
  log: Logger;
};

const patienceMs = 60_000;
/** After a failure, and after a process that died. */
const againMinutes = 30;
/** A run comes to an end, however much is due. */
const maxPerRun = 50;

/**
 * Notes once a day how each policy of each workspace is kept, so that a change can be told. Any number
 * of processes may do so at once. A workspace whose service fails comes again later. Once it is to stop
 * it begins no other.
 */
export async function sampleCompliance(
  { samples, openService, clock, log }: SampleDependencies,
  stopping?: AbortSignal,
): Promise<void> {
  for (let count = 0; count < maxPerRun && !stopping?.aborted; count += 1) {
    // Of the claim, not of the run: many slow ones take longer than a lease.
    const now = clock();
    const claim = await samples.claim({ now, leaseUntil: addMinutes(now, againMinutes) });
    if (!claim) return;
    try {
      const service = await openService(claim.teamId);
      // Another connection since then has a turn of its own.
      if (service?.connectionId !== claim.connectionId) continue;
      const read = await readPolicySamples(service.client, AbortSignal.timeout(patienceMs));
      const before = read?.failed.length ? await samples.readAsOf(claim.connectionId, now) : [];
      const readings = read ? baselineOf(read, before) : [];
      await samples.save(claim, {
        ...{ at: now, nextAt: addDays(now, 1), keptSince: keptSince(now), readings },
      });
    } catch (error) {
      log.warn({ teamId: claim.teamId, err: error }, 'compliance could not be sampled');
    }
  }
}
