import type { Clock } from '../../clock.ts';
import { subDays } from '../../dates.ts';
import type { Logger } from '../../logger.ts';
import { continueTrace, setFailed } from '../../tracing.ts';
import type { ApprovalRef } from './approval.ts';
import type { ApprovalStore } from './store/approval-store.ts';
import type { DueRef } from './store/running.ts';

export type SweepDependencies = {
  store: Pick<ApprovalStore, 'findDue' | 'findUnpublished'>;
  advance: (ref: ApprovalRef) => Promise<void>;
  publish: (ref: ApprovalRef) => Promise<void>;
  clock: Clock;
  log: Logger;
};

/** Requests last hours and unknown outcomes are checked for a day; Slack may be down meanwhile. */
const publishedForDays = 3;

/**
 * Advances all that is due and publishes all that is not up to date. This catches jobs that were
 * given up after too many failures, or lost with the process that ran them.
 */
export async function sweepApprovals(dependencies: SweepDependencies): Promise<void> {
  const { store, advance, publish, clock } = dependencies;
  await forEachLogged(await store.findDue(clock()), advance, dependencies);
  const now = clock();
  const unpublished = await store.findUnpublished(subDays(now, publishedForDays), now);
  await forEachLogged(unpublished, publish, dependencies);
}

/** Logs a failure and continues with the others. */
async function forEachLogged(
  refs: DueRef[],
  work: (ref: ApprovalRef) => Promise<void>,
  { log }: SweepDependencies,
): Promise<void> {
  for (const { traceparent, ...ref } of refs) {
    await continueTrace(traceparent, 'sweep approval', () =>
      work(ref).catch((error: unknown) => {
        setFailed(error);
        log.error({ approvalId: ref.id, err: error }, 'a sweep could not process an approval');
      }),
    );
  }
}
