import { addMilliseconds } from '../../../dates.ts';
import type { Progress } from '../approvable-action.ts';
import { type Approval, mayHaveSent } from '../approval.ts';
import { stepOf } from '../bound-action.ts';
import type { ApprovalStore } from '../store/approval-store.ts';
import { giveUpAfterMs, maxAttempts } from '../timings.ts';
import { endingOf, type RunDependencies, runApproval } from './run-approval.ts';

/** How much longer than `settleMs` Belay looks for a change that it may not send again. */
const onceFactor = 10;

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
  const { teamId, id, finishedAt = approval.requestedAt, attempts, version } = approval;
  const ref = { teamId, id };
  // Since the last sign of the step, not since it began: the call may have taken long.
  const sinceMs = clock().getTime() - finishedAt.getTime();

  const found = await checkService(approval, dependencies).catch((error: unknown) => {
    log.warn({ approvalId: id, err: error }, 'an unknown outcome could not be checked');
    return { state: 'check-failed' as const };
  });
  const isSent = mayHaveSent(approval, approval.step);
  const isOnce = stepOf(dependencies.bind(approval), approval.step).sendsOnce;
  const isOver =
    found.state === 'connection-replaced' ||
    found.state === 'unknown' ||
    (found.state === 'check-failed' && sinceMs > giveUpAfterMs) ||
    (found.state === 'busy' && sinceMs > timings.maxBusyMs) ||
    (found.state === 'not-done' && isOnce && sinceMs > timings.settleMs * onceFactor);
  // Nothing is unknown then: another attempt finds that somebody else made the change, waits, or fails.
  const isKnown = found.state === 'done' || found.state === 'busy' || isOver;
  if (!isSent && isKnown) return runApproval(ref, dependencies);
  if (found.state === 'done') {
    const { words = 'Belay checked again and found the change.', createdId } = found;
    const outcome = { to: 'succeeded' as const, outcome: words, createdId };
    await store.settle({ ...endingOf(approval, outcome, dependencies), version });
    return;
  }
  if (isOver) {
    const words = 'words' in found ? found.words : undefined;
    await store.giveUp({ ...ref, at: clock(), outcome: words });
    return;
  }
  const mustWait = found.state !== 'not-done' || isOnce || sinceMs < timings.settleMs;
  if (mustWait) {
    const waitMs = Math.max(timings.checkMs, sinceMs / 2);
    return store.rescheduleCheck({ ...ref, wakeAt: addMilliseconds(clock(), waitMs) });
  }
  if (attempts < maxAttempts) return runApproval(ref, dependencies);
  const outcome = isSent
    ? `Belay tried ${attempts} times, and the service doesn't show the change.`
    : `Belay was interrupted ${attempts} times before it sent the change.`;
  const failed = endingOf(approval, { to: 'failed', outcome }, dependencies);
  await store.settle({ ...failed, version });
}

async function checkService(
  approval: Approval,
  dependencies: ReconcileDependencies,
): Promise<Progress | { state: 'connection-replaced' }> {
  const action = dependencies.bind(approval);
  const opened = await action.open(dependencies, approval);
  if (!opened) return { state: 'connection-replaced' };
  return opened.progressOf(stepOf(action, approval.step));
}
