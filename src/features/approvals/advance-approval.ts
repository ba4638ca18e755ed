import { addMilliseconds } from 'date-fns/addMilliseconds';
import type { ApprovalRef, ApprovalStore } from './approval-store.ts';
import { stepOf } from './bind-action.ts';
import { executeApproval } from './execute-approval.ts';
import { type ReconcileDependencies, reconcileApproval } from './reconcile-approval.ts';

export type AdvanceDependencies = ReconcileDependencies & {
  store: Pick<
    ApprovalStore,
    'find' | 'expire' | 'voidUnposted' | 'markOutcomeUnknown' | 'postpone'
  > &
    ReconcileDependencies['store'];
};

/** The most that a step which comes late waits once more. */
const secondChanceMs = 10 * 60 * 1000;

/** Does what a request is due for, if it is. Any number of calls at once come to one effect. */
export async function advanceApproval(
  ref: ApprovalRef,
  dependencies: AdvanceDependencies,
): Promise<void> {
  const { store, bind, clock, timings } = dependencies;
  const approval = await store.find(ref);
  const at = clock();
  if (!approval?.wakeAt || approval.wakeAt > at) return;
  switch (approval.state) {
    case 'pending':
      if (approval.messageTs) await store.expire({ ...ref, at });
      else await store.voidUnposted({ ...ref, at, outcome: 'It could not be posted in time.' });
      return;
    case 'approved':
      return executeApproval(ref, dependencies);
    case 'scheduled': {
      const lateMs = at.getTime() - approval.wakeAt.getTime();
      if (lateMs < timings.tooLateMs) return executeApproval(ref, dependencies);
      // While Belay was away nobody could stop it: they get a time to do so.
      const { afterMs } = stepOf(bind(approval), approval.step);
      const wakeAt = addMilliseconds(at, Math.min(afterMs, secondChanceMs));
      await store.postpone({ ...ref, at, wakeAt });
      return;
    }
    case 'executing': {
      const outcome = 'Belay was interrupted while it was at it.';
      const wakeAt = addMilliseconds(at, timings.lookMs);
      await store.markOutcomeUnknown({ ...ref, at, outcome, wakeAt });
      return;
    }
    case 'outcome_unknown':
      return reconcileApproval(approval, dependencies);
    default:
      return;
  }
}
