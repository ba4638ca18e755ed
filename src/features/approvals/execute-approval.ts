import { addMilliseconds } from 'date-fns/addMilliseconds';
import type { Clock } from '../../clock.ts';
import type { Approval } from './approval.ts';
import type { ApprovalRef, ApprovalStore, Ending, Outcome } from './approval-store.ts';
import { stepAfter } from './bind-action.ts';
import { type RunStepDependencies, runStep } from './run-step.ts';
import type { Timings } from './timings.ts';

export type ExecuteDependencies = RunStepDependencies & {
  store: Pick<ApprovalStore, 'begin' | 'renew' | 'finish' | 'subjectsUnderWay'>;
  clock: Clock;
  newId: () => string;
  timings: Timings;
};

/**
 * Carries out the step that is due, under a lease: whoever begins it alone may act, and only as
 * long as they show signs of life. Nothing happens when another call has begun, or it is not due.
 */
export async function executeApproval(
  { teamId, id }: ApprovalRef,
  dependencies: ExecuteDependencies,
): Promise<void> {
  const { store, clock, newId, timings } = dependencies;
  const ref = { teamId, id };
  const holder = newId();
  const lease = () => ({ holder, until: addMilliseconds(clock(), timings.leaseMs) });
  const begun = await store.begin({ ...ref, lease: lease(), at: clock() });
  if (!begun) return;

  const renew = () => store.renew({ ...ref, lease: lease() });
  const sign = setInterval(() => {
    // A renewal that fails is one missed sign of life; the last one before acting is asked for anew.
    renew().catch(() => undefined);
  }, timings.leaseMs / 3);
  const outcome = await runStep(begun, { ...dependencies, mayAct: renew }).finally(() =>
    clearInterval(sign),
  );
  if (outcome) await store.finish({ ...endingOf(begun, outcome, dependencies), holder });
}

/** Where a request goes from the outcome of its step. */
export function endingOf(
  approval: Approval,
  { to, outcome, objection }: Outcome,
  { bind, clock, timings }: Pick<ExecuteDependencies, 'bind' | 'clock' | 'timings'>,
): Ending {
  const { teamId, id } = approval;
  const at = clock();
  const common = { teamId, id, outcome, objection, at };
  if (to === 'outcome_unknown') {
    return { ...common, to, wakeAt: addMilliseconds(at, timings.lookMs) };
  }
  if (to !== 'succeeded') return { ...common, to };
  if (approval.canceledBy !== undefined) return { ...common, to: 'kept' };
  const next = stepAfter(bind(approval), approval.step);
  if (!next) return { ...common, to };
  const wakeAt = addMilliseconds(at, next.afterMs);
  return { ...common, to: 'scheduled', step: next.name, wakeAt };
}
