import { subDays } from 'date-fns/subDays';
import { subMinutes } from 'date-fns/subMinutes';
import type { Clock } from '../../clock.ts';
import type { Logger } from '../../logger.ts';
import type { Approval } from './approval.ts';
import type { ApprovalStore } from './approval-store.ts';

export type SweepDependencies = {
  store: Pick<ApprovalStore, 'expireDue' | 'findStranded' | 'findUnpublished' | 'finish'>;
  execute: (approval: Approval) => Promise<Approval | undefined>;
  publish: (approval: Approval) => Promise<void>;
  clock: Clock;
  log: Logger;
};

/** Longer than an execution takes: each of its few calls ends within 15 s. */
const strandedAfterMinutes = 2;

/**
 * Closes requests whose time is up, picks up what a process left behind when it died, and says what
 * Slack could not be told before: an approved request is carried out, one that was being carried out
 * is said to be of unknown outcome, one that ended is drawn and told so, for a day.
 */
export async function sweepApprovals(dependencies: SweepDependencies): Promise<void> {
  const { store, publish, clock } = dependencies;
  const now = clock();

  await eachOf(await store.expireDue(now), publish, dependencies);
  await eachOf(
    await store.findStranded(subMinutes(now, strandedAfterMinutes)),
    (stranded) => pickUp(stranded, dependencies),
    dependencies,
  );
  const ended = { from: subDays(now, 1), to: subMinutes(now, 1) };
  await eachOf(await store.findUnpublished(ended), publish, dependencies);
}

async function pickUp(
  stranded: Approval,
  { store, execute, publish, clock }: SweepDependencies,
): Promise<void> {
  const { teamId, id } = stranded;
  const ended =
    stranded.state === 'approved'
      ? await execute(stranded)
      : await store.finish({
          teamId,
          id,
          to: 'outcome_unknown',
          outcome: 'Belay lost sight of it while it was at it. Please check before you ask again.',
          at: clock(),
        });
  if (ended) await publish(ended);
}

/** One that fails is logged and keeps none of the others from its turn. */
async function eachOf(
  approvals: Approval[],
  work: (approval: Approval) => Promise<void>,
  { log }: SweepDependencies,
): Promise<void> {
  for (const approval of approvals) {
    try {
      await work(approval);
    } catch (error) {
      log.error({ approvalId: approval.id, err: error }, 'an approval could not be swept');
    }
  }
}
