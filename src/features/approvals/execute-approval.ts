import { addMilliseconds } from 'date-fns/addMilliseconds';
import type { Clock } from '../../clock.ts';
import type { Approval } from './approval.ts';
import type { ApprovalRef, ApprovalStore, Ending, Outcome } from './approval-store.ts';
import { stepAfter } from './bind-action.ts';
import { type CarryOutDependencies, carryOutStep } from './run-step.ts';
import type { Pace } from './timings.ts';

export type ExecuteDependencies = CarryOutDependencies & {
  store: Pick<ApprovalStore, 'begin' | 'renew' | 'finish' | 'subjectsUnderWay'>;
  clock: Clock;
  newId: () => string;
  pace: Pace;
};

/**
 * Carries out the step that is due, under a lease: whoever begins it alone may act, and only as
 * long as they show signs of life. Nothing happens when another call has begun, or it is not due.
 */
export async function executeApproval(
  { teamId, id }: ApprovalRef,
  dependencies: ExecuteDependencies,
): Promise<void> {
  const { store, clock, newId, pace } = dependencies;
  const ref = { teamId, id };
  const holder = newId();
  const lease = () => ({ holder, until: addMilliseconds(clock(), pace.leaseMs) });
  const begun = await store.begin({ ...ref, lease: lease(), at: clock() });
  if (!begun) return;

  const renew = () => store.renew({ ...ref, lease: lease() });
  const sign = setInterval(() => {
    // A renewal that fails is one missed sign of life; the last one before acting is asked for anew.
    renew().catch(() => undefined);
  }, pace.leaseMs / 3);
  const outcome = await carryOutStep(begun, { ...dependencies, mayAct: renew }).finally(() =>
    clearInterval(sign),
  );
  if (outcome) await store.finish({ ...endingOf(begun, outcome, dependencies), holder });
}

/** Where a request goes from the outcome of its step. */
export function endingOf(
  approval: Approval,
  { to, outcome, objection }: Outcome,
  { bind, clock, pace }: Pick<ExecuteDependencies, 'bind' | 'clock' | 'pace'>,
): Ending {
  const { teamId, id } = approval;
  const at = clock();
  const common = { teamId, id, outcome, objection, at };
  if (to === 'outcome_unknown') {
    return { ...common, to, wakeAt: addMilliseconds(at, pace.lookMs) };
  }
  if (to !== 'succeeded') return { ...common, to };
  if (approval.keptBy !== undefined) return { ...common, to: 'kept' };
  const next = stepAfter(bind(approval), approval.step);
  if (!next) return { ...common, to };
  const wakeAt = addMilliseconds(at, next.afterMs);
  return { ...common, to: 'scheduled', step: next.name, wakeAt };
}
