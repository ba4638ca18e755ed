import type { Person } from '../../../slack/api/person.ts';
import { mention } from '../../../slack/ui/mrkdwn.ts';
import type { Action } from '../action.ts';
import { type Approval, placeOf, type StandsInFor, type Vote } from '../approval.ts';
import { hashMailbox, samePersonRefusal } from '../guards.ts';
import { approvalsMetBy, countVotes, type RuledVotes } from '../rules/count-votes.ts';
import { matchApprovals, neededApprovals } from '../rules/match-approvals.ts';
import { voterPlaceOf } from './places.ts';

type ChosenPlace = { standsInFor: StandsInFor | undefined; ruled?: RuledVotes | undefined };
type PlaceRefusal =
  | { result: 'already_approved'; why: string }
  | { result: 'groups_already_approved' };

/**
 * Chooses the first of the person's places in which an approval brings the request closer: one that no
 * approval so far has taken. With a rule, approvals that no longer count fill no place. `voters` are in the order
 * of the votes. @throws GroupUnreadError
 */
export function choosePlace(
  approval: Approval,
  action: Action,
  {
    person,
    places,
    requester,
    voters,
  }: { person: Person; places: Person[]; requester: Person; voters: Person[] },
): ChosenPlace | PlaceRefusal {
  const needed = neededApprovals(approval);
  const votes = countVotes(approval, action, { needed, requester, voters });
  const isTaking = (_: Vote, index: number) =>
    needed.length === 0 || (votes[index]?.meets ?? []).length > 0;
  let taken: Vote | undefined;
  for (const place of places) {
    const before = approval.votes.find(
      (vote, index) => isTaking(vote, index) && takesPlace(approval, vote, voters[index], place),
    );
    if (before) {
      taken = before;
      continue;
    }
    const standing = standsInFor(approval, person, place);
    if (needed.length === 0) return { standsInFor: standing };
    const meets = approvalsMetBy(place, needed);
    const isCloser =
      matchApprovals(needed, [...votes, { meets }]).size > matchApprovals(needed, votes).size;
    if (isCloser) return { standsInFor: standing, ruled: { votes, meets } };
  }
  return taken
    ? { result: 'already_approved', why: takenRefusal(taken, person) }
    : { result: 'groups_already_approved' };
}

/** Undefined for the person's own place. */
export function standsInFor(
  approval: Pick<Approval, 'id'>,
  person: Person,
  place: Person,
): StandsInFor | undefined {
  if (place === person) return undefined;
  return { slackUserId: place.slackUserId, mailboxHash: hashMailbox(approval, place) };
}

/** Compares the account and the mailbox, then and now. */
function takesPlace(
  { id }: Pick<Approval, 'id'>,
  vote: Vote,
  voter: Person | undefined,
  place: Person,
): boolean {
  if (placeOf(vote) === place.slackUserId) return true;
  if ((vote.standsInFor ?? vote).mailboxHash === hashMailbox({ id }, place)) return true;
  const now = voter && voterPlaceOf(vote, voter).place;
  return now !== undefined && samePersonRefusal(now, place) !== undefined;
}

function takenRefusal(vote: Vote, person: Person): string {
  const approver = placeOf(vote);
  if (approver === vote.by) {
    return `${mention(approver)} already approved this request, and you stand in for them.`;
  }
  const whose = approver === person.slackUserId ? 'you' : mention(approver);
  return `${mention(vote.by)} already approved this request, standing in for ${whose}.`;
}
