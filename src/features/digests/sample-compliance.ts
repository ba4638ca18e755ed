import { addDays } from 'date-fns/addDays';
import { addMinutes } from 'date-fns/addMinutes';
import type { Logger } from '../../logger.ts';
import type { OpenService } from '../workspaces/workspaces.ts';
import { readPolicySamples } from './collect-compliance.ts';
import type { ComplianceSamples } from './digest-store.ts';

export type SampleDependencies = {
  samples: ComplianceSamples;
  openService: OpenService;
  log: Logger;
};

const patienceMs = 60_000;
/** After a failure, and after a process that died. */
const againMinutes = 30;
/** So that a stop need not wait for all of them. */
const mostPerRun = 50;

/**
 * Notes once a day how each policy of each workspace is kept, so that a change can be told. Any number
 * of processes may do so at once. A workspace whose service fails comes again later.
 */
export async function sampleCompliance(
  now: Date,
  { samples, openService, log }: SampleDependencies,
): Promise<void> {
  const leaseUntil = addMinutes(now, againMinutes);
  for (let count = 0; count < mostPerRun; count += 1) {
    const claim = await samples.claim({ now, leaseUntil });
    if (!claim) return;
    try {
      const service = await openService(claim.teamId);
      // Another connection since then has a turn of its own.
      if (service?.connectionId !== claim.connectionId) continue;
      const read = await readPolicySamples(service.client, AbortSignal.timeout(patienceMs));
      const readings = read?.readings ?? [];
      await samples.save(claim, { at: now, nextAt: addDays(now, 1), readings });
    } catch (error) {
      log.warn({ teamId: claim.teamId, err: error }, 'compliance could not be sampled');
    }
  }
}
