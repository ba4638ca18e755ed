import type { RefusedAttempt } from '../../audit-log/registry.ts';
import type { Outsider } from '../../slack/interactions/authorize-caller.ts';
import type { RefusedUse } from '../../slack/interactions/report-failure.ts';
import { decodeValue } from '../../slack/ui/codec.ts';
import type { RequestContext } from '../request-context.ts';
import { approveForm, denyForm, reviewForm } from '../views/decision-forms.ts';
import {
  approvalValue,
  listDecisionIds,
  messageDecisionIds,
  reviewActionId,
  reviewInListActionId,
} from '../views/ids.ts';

/** What a button or form of a request attempts. */
const attempts = new Map<string, RefusedAttempt>([
  ...[messageDecisionIds, listDecisionIds].flatMap((ids): [string, RefusedAttempt][] => [
    [ids.approve, 'approved'],
    [ids.approveWithComment, 'approved'],
    [ids.deny, 'denied'],
    [ids.withdraw, 'withdrawn'],
    [ids.cancel, 'cancel'],
    [ids.abort, 'cancel'],
  ]),
  [reviewActionId, 'reviewed'],
  [reviewInListActionId, 'reviewed'],
  [reviewForm.id, 'reviewed'],
  [approveForm.id, 'approved'],
  [denyForm.id, 'denied'],
]);

/** Logs that a member lacked the right to use a command, button or form. */
export async function logMissingRight(
  { teamId, slackUserId: by, used }: RefusedUse,
  { store, clock }: RequestContext,
): Promise<void> {
  const reason = 'right_missing';
  await store.logRefusal({ teamId, by, attempt: 'use', used, reason, at: clock() });
}

/** Logs that somebody who is not a full member was refused, with the request they clicked on. */
export async function logOutsider(
  { teamId, slackUserId, listener, value, membership }: Outsider,
  { store, clock }: RequestContext,
): Promise<void> {
  const clicked = attempts.has(listener) ? decodeValue(approvalValue, value) : undefined;
  const about = clicked && (await store.find({ teamId, id: clicked.approvalId }));
  const attempt = (about && attempts.get(listener)) ?? 'use';
  await store.logRefusal({
    teamId,
    by: slackUserId,
    attempt,
    reason: membership,
    about,
    at: clock(),
  });
}
