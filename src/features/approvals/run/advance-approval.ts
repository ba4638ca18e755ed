import { addMilliseconds } from 'date-fns/addMilliseconds';
import { type ApprovalRef, mayHaveSent } from '../approval.ts';
import { stepOf } from '../bound-action.ts';
import type { ApprovalStore } from '../store/approval-store.ts';
import { type ReconcileDependencies, reconcileApproval } from './reconcile-approval.ts';
import { runApproval } from './run-approval.ts';

export type AdvanceDependencies = ReconcileDependencies & {
  store: Pick<
    ApprovalStore,
    'find' | 'expire' | 'voidUnposted' | 'markOutcomeUnknown' | 'postpone' | 'tally'
  > &
    ReconcileDependencies['store'];
};

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
