import { addMilliseconds } from 'date-fns/addMilliseconds';
import type { Approval } from './approval.ts';
import type { ApprovalStore } from './approval-store.ts';
import { stepOf } from './bind-action.ts';
import { type ExecuteDependencies, endingOf, executeApproval } from './execute-approval.ts';
import { giveUpAfterMs, maxAttempts } from './timings.ts';

export type ReconcileDependencies = ExecuteDependencies & {
  store: Pick<ApprovalStore, 'settle' | 'rescheduleCheck' | 'giveUp'> &
    ExecuteDependencies['store'];
};

/**
 * Looks at the service until it is known how a step came out. One that was not carried out, and by
 * now cannot be any more, is carried out after all: the approval stands.
 */
export async function reconcileApproval(
  approval: Approval,
  dependencies: ReconcileDependencies,
): Promise<void> {
  const { store, clock, timings, log } = dependencies;
  const { teamId, id, finishedAt = approval.requestedAt, attempts } = approval;
  const ref = { teamId, id };
  // From when nothing more was heard, not from when it began: the call may have taken long.
  const sinceMs = clock().getTime() - finishedAt.getTime();

  const seen = await lookAt(approval, dependencies).catch((error: unknown) => {
    log.warn({ approvalId: id, err: error }, 'an unknown outcome could not be looked at');
    return 'not-seen' as const;
  });
  if (seen === 'done') {
    const outcome = { to: 'succeeded' as const, outcome: 'Belay has looked again and seen it.' };
    await store.settle(endingOf(approval, outcome, dependencies));
    return;
  }
  if (seen === 'out-of-reach' || (seen === 'not-seen' && sinceMs > giveUpAfterMs)) {
    await store.giveUp({ ...ref, at: clock() });
    return;
  }
  if (seen === 'not-seen' || sinceMs < timings.settleMs) {
    const waitMs = Math.max(timings.lookMs, sinceMs / 2);
    return store.rescheduleCheck({ ...ref, wakeAt: addMilliseconds(clock(), waitMs) });
  }
  if (attempts < maxAttempts) return executeApproval(ref, dependencies);
  const outcome = `Belay tried ${attempts} times, and the service does not show it.`;
  await store.settle(endingOf(approval, { to: 'failed', outcome }, dependencies));
}

async function lookAt(
  approval: Approval,
  { bind, openService }: ReconcileDependencies,
): Promise<'done' | 'not-done' | 'out-of-reach'> {
  const service = await openService(approval.teamId);
  if (service?.connectionId !== approval.connectionId) return 'out-of-reach';
  const isDone = await stepOf(bind(approval), approval.step).isDone(service.client);
  return isDone ? 'done' : 'not-done';
}
