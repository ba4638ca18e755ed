import type { Person } from '../slack/api/person.ts';
import { mayDecide } from '../workspace/permissions.ts';
import type { WorkspaceSettings } from '../workspace/settings/document.ts';
import type { Action } from './action.ts';
import type { Approval, Run } from './approval.ts';
import type { DecisionRefusal } from './decide-approval.ts';
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
export function cancelerRefusal(
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
  { teamId, approvalId, person }: { teamId: string; approvalId: string; person: Person },
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
