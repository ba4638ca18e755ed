import type { RefusalReason } from '../../audit-log/registry.ts';
import type { Person } from '../../slack/api/person.ts';
import { type Approval, isReviewable, needsReview } from '../approval.ts';
import type { DecisionClick } from '../decide-approval.ts';
import { hashMailbox, samePersonRefusal, sharedMailbox, subjectRefusal } from '../guards.ts';
import { canTakePart, excludedRefusal, placesOf } from '../people/places.ts';
import type { RequestContext } from '../request-context.ts';
import { decidersOf } from '../rules/requirements.ts';

/** `result` is the reason that the audit log stores. */
export type ReviewRefusal = { result: RefusalReason } & (
  | { result: 'request_not_found' }
  | {
      result: 'break_glass_not_allowed' | 'not_ended' | 'already_reviewed' | 'own_request';
      approval: Approval;
    }
  | { result: 'not_approver'; approval: Approval; approvers: string[] }
  | {
      result: 'approver_is_subject' | 'same_mailbox' | 'address_missing' | 'stand_in_excluded';
      approval: Approval;
      why: string;
    }
);

/**
 * Whether the person may review this run without approval now: somebody who could have approved it
 * under its rule, and who isn't the person who ran it, then or now, under any account of a mailbox.
 * Changes nothing. @throws GroupUnreadError
 */
export async function checkReview(
  { teamId, approvalId, person }: DecisionClick,
  { store, bind, readSettings, readPerson }: RequestContext,
): Promise<{ result: 'open'; approval: Approval; mailboxHash: string } | ReviewRefusal> {
  const approval = await store.find({ teamId, id: approvalId });
  if (!approval) return { result: 'request_not_found' };
  const { breakGlass } = approval;
  if (!breakGlass || !approval.decidedAt) return { result: 'break_glass_not_allowed', approval };
  if (!needsReview(approval)) return { result: 'already_reviewed', approval };
  if (!isReviewable(approval)) return { result: 'not_ended', approval };
  if (approval.requester === person.slackUserId) return { result: 'own_request', approval };
  const action = bind(approval);
  const settings = await readSettings(teamId);
  const approvers = decidersOf(approval, action, settings);
  const places = placesOf(person, approvers, settings);
  if (places.length === 0) return { result: 'not_approver', approval, approvers };
  const isSubject = action.isSubject(person);
  // Else nobody could review a run whose personal text was erased.
  const about = isSubject === 'erased' ? undefined : subjectRefusal(isSubject, person);
  if (about) return { result: 'approver_is_subject', approval, why: about };
  const requester = await readPerson(teamId, approval.requester);
  const same = samePersonRefusal(requester, person);
  if (same) return { result: same.reason, approval, why: same.why };
  const isFree = (place: Person) =>
    canTakePart(place, approval, action, requester) &&
    hashMailbox(approval, place) !== breakGlass.mailboxHash;
  if (!places.some((place) => place === person || isFree(place))) {
    return { result: 'stand_in_excluded', approval, why: excludedRefusal(places) };
  }
  const mailboxHash = hashMailbox(approval, person);
  if (mailboxHash === breakGlass.mailboxHash) {
    const why = sharedMailbox(approval.requester, person.slackUserId);
    return { result: 'same_mailbox', approval, why };
  }
  return { result: 'open', approval, mailboxHash };
}
