import { addMilliseconds } from '../../../dates.ts';
import { plural } from '../../../slack/ui/words.ts';
import { type Approval, type ApprovalRef, mayHaveSent } from '../approval.ts';
import { changesFrom } from '../approval-state.ts';
import { stepOf } from '../bound-action.ts';
import type { ApprovalStore } from '../store/approval-store.ts';
import { type ReconcileDependencies, reconcileApproval } from './reconcile-approval.ts';
import { runApproval } from './run-approval.ts';

export type AdvanceDependencies = ReconcileDependencies & {
  store: Pick<
    ApprovalStore,
    'find' | 'expire' | 'voidUnposted' | 'voidLate' | 'markOutcomeUnknown' | 'postpone' | 'tally'
  > &
    ReconcileDependencies['store'];
};

const hourMs = 60 * 60_000;

/** The maximum extra delay of a step that is late. */
const maxSecondWaitMs = 10 * 60 * 1000;

/** Makes the change that a request is due for, if any. Concurrent calls have one effect. */
export async function advanceApproval(
  ref: ApprovalRef,
  dependencies: AdvanceDependencies,
): Promise<void> {
  const { store, bind, clock, timings } = dependencies;
  const approval = await store.find(ref);
  const at = clock();
  if (!approval?.wakeAt || approval.wakeAt > at) return;
  if (approval.tally && approval.state !== 'pending') {
    await store.tally({ ...ref, at });
    return;
  }
  const outcome = describeLateness(approval, at);
  if (outcome !== undefined) {
    await store.voidLate({ ...ref, at, outcome, version: approval.version });
    return;
  }
  switch (approval.state) {
    case 'pending':
      if (approval.messageTs) await store.expire({ ...ref, at });
      else
        await store.voidUnposted({
          ...ref,
          at,
          outcome: "Belay couldn't post the request in time.",
        });
      return;
    case 'approved':
      return runApproval(ref, dependencies);
    case 'scheduled': {
      const lateMs = at.getTime() - approval.wakeAt.getTime();
      if (lateMs < timings.tooLateMs) return runApproval(ref, dependencies);
      // While Belay was down nobody could cancel the step, so people get another chance.
      const { afterMs } = stepOf(bind(approval), approval.step);
      const wakeAt = addMilliseconds(at, Math.min(afterMs, maxSecondWaitMs));
      await store.postpone({ ...ref, at, wakeAt });
      return;
    }
    case 'executing': {
      const outcome = mayHaveSent(approval, approval.step)
        ? 'Belay was interrupted while it made the change.'
        : 'Belay was interrupted before it sent the change.';
      const wakeAt = addMilliseconds(at, timings.checkMs);
      await store.markOutcomeUnknown({ ...ref, at, outcome, wakeAt });
      return;
    }
    case 'outcome_unknown':
      return reconcileApproval(approval, dependencies);
    default:
      return;
  }
}

/**
 * Why a step that is due won't be started any more: the rule of the request limits how late. Since it
 * was due last: one that was postponed is announced again. A cancellation is never too late.
 */
function describeLateness(approval: Approval, at: Date): string | undefined {
  const { rule, wakeAt, state, step, canceledBy } = approval;
  if (!rule || !wakeAt || canceledBy !== undefined) return undefined;
  if (at.getTime() - wakeAt.getTime() < rule.hoursToRun * hourMs) return undefined;
  const waits = changesFrom.voidLate.some((one) => one === state);
  // Belay still finds out whether it was made.
  if (!waits || (state === 'outcome_unknown' && mayHaveSent(approval, step))) return undefined;
  return `Belay couldn't start the change within ${plural(rule.hoursToRun, 'hour')}, the limit set by the rule for this action. Submit the request again.`;
}
