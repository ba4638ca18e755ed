import { subDays } from 'date-fns/subDays';
import type { Clock } from '../../clock.ts';
import type { Logger } from '../../logger.ts';
import type { ApprovalRef, ApprovalStore } from './approval-store.ts';

export type SweepDependencies = {
  store: Pick<ApprovalStore, 'findDue' | 'findUnpublished'>;
  advance: (ref: ApprovalRef) => Promise<void>;
  publish: (ref: ApprovalRef) => Promise<void>;
  clock: Clock;
  log: Logger;
};

/** A request lives for hours and its outcome is looked into for a day; Slack may be away meanwhile. */
const publishedForDays = 3;

/**
 * Does what is due, and draws what is not up to date: the net below the jobs, for those that were
 * given up after too many failures, or that a process took with it when it died.
 */
export async function sweepApprovals(dependencies: SweepDependencies): Promise<void> {
  const { store, advance, publish, clock } = dependencies;
  await eachOf(await store.findDue(clock()), advance, dependencies);
  const now = clock();
  const unpublished = await store.findUnpublished(subDays(now, publishedForDays), now);
  await eachOf(unpublished, publish, dependencies);
}

/** One that fails is logged and keeps none of the others from its turn. */
async function eachOf(
  refs: ApprovalRef[],
  work: (ref: ApprovalRef) => Promise<void>,
  { log }: SweepDependencies,
): Promise<void> {
  for (const ref of refs) {
    try {
      await work(ref);
    } catch (error) {
      log.error({ approvalId: ref.id, err: error }, 'an approval could not be swept');
    }
  }
}
