import { type RefusedAttempt, refusedAttempts } from '../../audit-log/registry.ts';
import type { Outsider } from '../../slack/interactions/authorize-caller.ts';
import { decodeValue } from '../../slack/ui/codec.ts';
import { reviewForm } from '../break-glass/views/review-modal.ts';
import type { RequestContext } from '../request-context.ts';
import { approveForm, denyForm } from '../views/decision-forms.ts';
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
    [ids.approve, refusedAttempts.approve],
    [ids.approveWithComment, refusedAttempts.approve],
    [ids.deny, refusedAttempts.deny],
    [ids.withdraw, refusedAttempts.withdraw],
    [ids.cancel, refusedAttempts.cancel],
    [ids.abort, refusedAttempts.cancel],
  ]),
  [reviewActionId, refusedAttempts.review],
  [reviewInListActionId, refusedAttempts.review],
  [reviewForm.id, refusedAttempts.review],
  [approveForm.id, refusedAttempts.approve],
  [denyForm.id, refusedAttempts.deny],
]);

/** Logs that somebody who is not a full member was refused, with the request they clicked on. */
export async function logOutsider(
  { teamId, slackUserId, listener, value, membership }: Outsider,
  { store, clock }: RequestContext,
): Promise<void> {
  const clicked = attempts.has(listener) ? decodeValue(approvalValue, value) : undefined;
  const about = clicked && (await store.find({ teamId, id: clicked.approvalId }));
  const attempt = (about && attempts.get(listener)) ?? refusedAttempts.use;
  await store.logRefusal({
    teamId,
    by: slackUserId,
    attempt,
    reason: membership,
    about,
    at: clock(),
  });
}
