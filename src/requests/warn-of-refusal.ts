import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RuledAction } from '../workspace/rules.ts';
import { checkApprovers, checkRequest, plannedBy, type RequestingCall } from './check-request.ts';
import type { PreparedAction } from './define-action.ts';
import { operatorRefusal } from './guards.ts';
import type { RequestContext } from './request-context.ts';
import { requirementsOf } from './rules/requirements.ts';
import { refusalWarning } from './views/requested-message.ts';

/**
 * `prepared`: the action on its subject. For an action that isn't about a person, the number of people
 * who must approve is enough.
 */
export type PlannedAction =
  | { prepared: PreparedAction }
  | { action: RuledAction; required: number };

/** How long a form waits for its warning. */
const maxWaitMs = 2500;

/**
 * Warns in a form that its request would be refused, before somebody fills it in: mrkdwn. Undefined if
 * the request could be made, or if the check takes too long: the submission checks again.
 */
export async function warnOfRefusal(
  call: RequestingCall,
  asked: PlannedAction,
  context: RequestContext,
): Promise<string | undefined> {
  const late = sleep(maxWaitMs, undefined, { ref: false });
  try {
    const refusal = await Promise.race([findRefusal(call, asked, context), late]);
    return refusal && refusalWarning(refusal);
  } catch (error) {
    context.log.warn({ err: error }, 'a request could not be checked before its form');
    return undefined;
  }
}

async function findRefusal(call: RequestingCall, asked: PlannedAction, context: RequestContext) {
  const planned = await plannedBy(call);
  if ('prepared' in asked) {
    const { prepared } = asked;
    const checked = await checkRequest({ ...planned, prepared, id: randomUUID() }, context);
    return 'refusal' in checked ? checked.refusal : undefined;
  }
  const { requester, settings } = planned;
  const { action, required } = asked;
  const why = operatorRefusal(requester, settings, action);
  if (why !== undefined) return { result: 'not_operator' as const, why };
  const requirements = requirementsOf(action, settings, required);
  return checkApprovers({ ...planned, ...requirements, isSubject: () => 'no' }, context);
}
