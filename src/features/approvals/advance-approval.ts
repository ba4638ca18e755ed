import { addMilliseconds } from 'date-fns/addMilliseconds';
import type { ApprovalRef, ApprovalStore } from './approval-store.ts';
import { executeApproval } from './execute-approval.ts';
import { type ReconcileDependencies, reconcileApproval } from './reconcile-approval.ts';

export type AdvanceDependencies = ReconcileDependencies & {
  store: Pick<ApprovalStore, 'find' | 'expire' | 'voidUnplaced' | 'loseTrack'> &
    ReconcileDependencies['store'];
};

/** Does what a request is due for, if it is. Any number of calls at once come to one effect. */
export async function advanceApproval(
  ref: ApprovalRef,
  dependencies: AdvanceDependencies,
): Promise<void> {
  const { store, clock, pace } = dependencies;
  const approval = await store.find(ref);
  const at = clock();
  if (!approval?.wakeAt || approval.wakeAt > at) return;
  switch (approval.state) {
    case 'pending':
      if (approval.messageTs) await store.expire({ ...ref, at });
      else await store.voidUnplaced({ ...ref, at, outcome: 'It could not be posted in time.' });
      return;
    case 'approved':
    case 'scheduled':
      return executeApproval(ref, dependencies);
    case 'executing': {
      const outcome = 'Belay was interrupted while it was at it.';
      const wakeAt = addMilliseconds(at, pace.lookMs);
      await store.loseTrack({ ...ref, at, outcome, wakeAt });
      return;
    }
    case 'outcome_unknown':
      return reconcileApproval(approval, dependencies);
    default:
      return;
  }
}
