import type { Person } from '../slack/api/person.ts';
import { abortableTask } from './action-steps.ts';
import { cancelerRefusal } from './cancel-scheduled.ts';
import type { DecisionRefusal } from './decide-approval.ts';
import type { RequestContext } from './request-context.ts';

/**
 * Asks the service to abort the task in which it makes the change of a request. Who asked is recorded before
 * anything is sent. Belay follows the task to its end all the same, because it may complete before that.
 * @throws {ServiceError} if the service refuses
 */
export async function abortTask(
  { teamId, approvalId, person }: { teamId: string; approvalId: string; person: Person },
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
