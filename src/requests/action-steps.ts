import type { Action, ActionStep } from './action.ts';
import { type Approval, findSent, isFollowed } from './approval.ts';

export function stepOf(action: Action, name: string): ActionStep {
  const step = [...action.steps, action.cancellation?.step].find((one) => one?.name === name);
  if (!step) throw new Error(`no such step: ${name}`);
  return step;
}

/** The step that follows; none after the last one and after canceling. */
export function stepAfter(action: Action, name: string): ActionStep | undefined {
  if (isCancelStep(action, name)) return undefined;
  return action.steps[action.steps.indexOf(stepOf(action, name)) + 1];
}

/** The steps that ran before this one. */
export function stepsBefore(action: Action, name: string): ActionStep[] {
  if (isCancelStep(action, name)) return action.steps.slice(0, -1);
  return action.steps.slice(0, action.steps.indexOf(stepOf(action, name)));
}

export function isCancelStep({ cancellation }: Action, name: string): boolean {
  return name === cancellation?.step.name;
}

/** The task that can be aborted, and its step. People may try more than once, because the service can refuse. */
export function abortableTask(
  { runs: [run] }: Pick<Approval, 'runs'>,
  action: Action,
): { step: ActionStep; id: string } | undefined {
  if (!isFollowed(run)) return undefined;
  const step = stepOf(action, run.step);
  const id = findSent(run)?.taskId;
  return step.canAbort && id !== undefined ? { step, id } : undefined;
}
