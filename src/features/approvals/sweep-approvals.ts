import { subMilliseconds } from 'date-fns';
import type { Clock } from '../../clock.ts';
import type { Approval } from './approval.ts';
import type { ApprovalStore } from './approval-store.ts';

export type SweepDependencies = {
  store: Pick<ApprovalStore, 'expireDue' | 'findStranded' | 'finish'>;
  execute: (approval: Approval) => Promise<Approval | undefined>;
  publish: (approval: Approval) => Promise<void>;
  clock: Clock;
};

/** Longer than any execution takes: every call to the service gives up well before. */
const strandedAfterMs = 2 * 60 * 1000;

/**
 * Closes requests whose time is up, and picks up what a process left behind when it died: an approved
 * request is carried out, one that was being carried out is said to be of unknown outcome.
 */
export async function sweepApprovals(dependencies: SweepDependencies): Promise<void> {
  const { store, execute, publish, clock } = dependencies;
  const now = clock();
  for (const expired of await store.expireDue(now)) await publish(expired);

  for (const stranded of await store.findStranded(subMilliseconds(now, strandedAfterMs))) {
    const ended =
      stranded.state === 'approved'
        ? await execute(stranded)
        : await store.finish({
            teamId: stranded.teamId,
            id: stranded.id,
            to: 'outcome_unknown',
            outcome: 'Belay was stopped while it was at it. Please check before you ask again.',
            at: now,
          });
    if (ended) await publish(ended);
  }
}
