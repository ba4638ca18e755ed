import type { Person } from '../slack/api/person.ts';
import { mayDecide } from '../workspace/permissions.ts';
import type { WorkspaceSettings } from '../workspace/settings/document.ts';
import type { Action } from './action.ts';
import { abortableTask } from './action-steps.ts';
import type { Approval, Run } from './approval.ts';
import type { DecisionClick, DecisionRefusal } from './decide-approval.ts';
import { knownSubjectRefusal } from './guards.ts';
import { excludedRefusal } from './people/places.ts';
import type { RequestContext } from './request-context.ts';
import { decidersOf } from './rules/requirements.ts';
import { groupOf } from './several/count-runs.ts';

/**
 * Who may cancel a step or abort its task: the requester and approvers, those of its rule and stand-ins
 * included, but not its subject, nor somebody in the subject's place. This is for the safe side, so it needs
 * no second person, and no e-mail addresses.
 */
function cancelerRefusal(
  approval: Approval,
  action: Action,
  person: Person,
  settings: WorkspaceSettings,
): DecisionRefusal | undefined {
  const { approvers } = settings;
  const deciders = decidersOf(approval, action, settings);
  const mayCancel = (place: Person) => mayDecide(place, approvers) || mayDecide(place, deciders);
  const isOwn = approval.requester === person.slackUserId;
  // Others' places only if they are needed: their groups may be unread.
  const places =
    isOwn || mayCancel(person) ? [person] : (person.standsInFor ?? []).filter(mayCancel);
  if (places.length === 0) return { result: 'not_approver', approvers, approval };
  const why = knownSubjectRefusal(action, person);
  if (why) return { result: 'approver_is_subject', approval, why };
  if (places.every((place) => knownSubjectRefusal(action, place))) {
    return { result: 'stand_in_excluded', approval, why: excludedRefusal(places) };
  }
  return undefined;
}

/**
 * Cancels a scheduled step. Of several subjects it cancels all that wait; `running` is how many can be
 * canceled only after their first step.
 */
export async function cancelScheduled(
  { teamId, approvalId, person }: DecisionClick,
  { store, bind, readSettings, clock }: RequestContext,
): Promise<DecisionRefusal | { result: 'canceled'; running: number; button: string }> {
  const ref = { teamId, id: approvalId };
  const approval = await store.find(ref);
  if (!approval) return { result: 'request_not_found' };
  if (approval.state !== 'scheduled') return { result: 'request_closed', approval };
  const action = bind(approval);
  const refusal = cancelerRefusal(approval, action, person, await readSettings(teamId));
  if (refusal) return refusal;
  const { cancellation } = action;
  if (!cancellation) return { result: 'request_closed', approval };
  const [{ name: firstStep }] = action.steps;
  const step = cancellation.step.name;
  const change = { ...ref, by: person.slackUserId, firstStep, step, at: clock() };
  const isCanceled = await store.cancelScheduled(change);
  const current = await store.find(ref);
  if (!current) return { result: 'request_not_found' };
  if (isCanceled) {
    const isRunning = (run: Run) => run.step === firstStep && groupOf(run) === 'running';
    const running = current.runs.filter(isRunning).length;
    return { result: 'canceled', running, button: cancellation.texts.button };
  }
  if (current.state !== 'scheduled') return { result: 'request_closed', approval: current };
  return { result: 'already_due', approval: current, why: cancellation.texts.tooLate };
}

/**
 * Asks the service to abort the task in which it makes the change of a request. Who asked is recorded before
 * anything is sent. Belay follows the task to its end all the same, because it may complete before that.
 * @throws {ServiceError} if the service refuses
 */
export async function abortTask(
  { teamId, approvalId, person }: DecisionClick,
  context: RequestContext,
): Promise<DecisionRefusal | { result: 'requested' }> {
  const { store, bind, readSettings, clock } = context;
  const ref = { teamId, id: approvalId };
  const approval = await store.find(ref);
  if (!approval) return { result: 'request_not_found' };
  const action = bind(approval);
  const task = abortableTask(approval, action);
  if (!task) return { result: 'request_closed', approval };
  const refusal = cancelerRefusal(approval, action, person, await readSettings(teamId));
  if (refusal) return refusal;
  const opened = await action.open(context, approval);
  if (!opened) return { result: 'request_closed', approval };
  const why = await opened.abortRefusal(task.step, task.id);
  if (why !== undefined) return { result: 'not_abortable', approval, why };
  const isRecorded = await store.requestAbort({ ...ref, by: person.slackUserId, at: clock() });
  if (!isRecorded) {
    return { result: 'request_closed', approval: (await store.find(ref)) ?? approval };
  }
  await opened.abort(task.step, task.id);
  return { result: 'requested' };
}
