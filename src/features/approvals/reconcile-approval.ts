import { addMilliseconds } from 'date-fns/addMilliseconds';
import type { Approval } from './approval.ts';
import { stepOf } from './bound-action.ts';
import { endingOf, type RunDependencies, runApproval } from './run-approval.ts';
import type { ApprovalStore } from './store/approval-store.ts';
import { giveUpAfterMs, maxAttempts } from './timings.ts';

export type ReconcileDependencies = RunDependencies & {
  store: Pick<ApprovalStore, 'settle' | 'rescheduleCheck' | 'giveUp'> & RunDependencies['store'];
};

/**
 * Checks the service until the outcome of a step is known. A step that did not happen, and can no
 * longer happen by now, is run again: the approval is still valid.
 */
export async function reconcileApproval(
  approval: Approval,
  dependencies: ReconcileDependencies,
): Promise<void> {
  const { store, clock, timings, log } = dependencies;
  const { teamId, id, finishedAt = approval.requestedAt, attempts } = approval;
  const ref = { teamId, id };
  // Since the last sign of the step, not since it began: the call may have taken long.
  const sinceMs = clock().getTime() - finishedAt.getTime();

  const found = await checkService(approval, dependencies).catch((error: unknown) => {
    log.warn({ approvalId: id, err: error }, 'an unknown outcome could not be checked');
    return 'check-failed' as const;
  });
  if (found === 'done') {
    const outcome = { to: 'succeeded' as const, outcome: 'Belay has looked again and seen it.' };
    await store.settle(endingOf(approval, outcome, dependencies));
    return;
  }
  if (found === 'connection-replaced' || (found === 'check-failed' && sinceMs > giveUpAfterMs)) {
    await store.giveUp({ ...ref, at: clock() });
    return;
  }
  if (found === 'check-failed' || sinceMs < timings.settleMs) {
    const waitMs = Math.max(timings.checkMs, sinceMs / 2);
    return store.rescheduleCheck({ ...ref, wakeAt: addMilliseconds(clock(), waitMs) });
  }
  if (attempts < maxAttempts) return runApproval(ref, dependencies);
  const outcome = `Belay tried ${attempts} times, and the service does not show it.`;
  await store.settle(endingOf(approval, { to: 'failed', outcome }, dependencies));
}

async function checkService(
  approval: Approval,
  dependencies: ReconcileDependencies,
): Promise<'done' | 'not-done' | 'connection-replaced'> {
  const action = dependencies.bind(approval);
  const opened = await action.open(dependencies, approval);
  if (!opened) return 'connection-replaced';
  return (await opened.isDone(stepOf(action, approval.step))) ? 'done' : 'not-done';
}
