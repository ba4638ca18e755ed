import type { Person } from '../../slack/api/person.ts';
import { mention } from '../../slack/ui/mrkdwn.ts';
import type { Action } from '../action.ts';
import { type Approval, placeOf, type StandsInFor, type Vote } from '../approval.ts';
import { hashMailbox, samePersonRefusal } from '../guards.ts';
import { matchApprovals } from '../rules/match-approvals.ts';
import {
  approvalsMetBy,
  type CountedVotes,
  recheckVotes,
  type VoteQuestion,
} from '../rules/recheck-votes.ts';

type ChosenPlace = { standsInFor: StandsInFor | undefined; counted: CountedVotes };
type PlaceRefusal =
  | { result: 'already_approved'; why: string }
  | { result: 'groups_already_approved' };

/**
 * Chooses the first of the person's places in which an approval brings the request closer: one that no
 * approval so far has taken. Approvals that no longer count fill no place. @throws GroupUnreadError
 */
export function choosePlace(
  approval: Approval,
  action: Action,
  { person, places, ...question }: VoteQuestion & { person: Person; places: Person[] },
): ChosenPlace | PlaceRefusal {
  const { needed, voters } = question;
  const votes = recheckVotes(approval, action, question).map(({ lost: _, ...vote }) => vote);
  let taken: Vote | undefined;
  for (const place of places) {
    const before = votes.find(
      (vote) => vote.meets.length > 0 && takesPlace(approval, vote, voters, place),
    );
    if (before) {
      taken = before;
      continue;
    }
    const meets = approvalsMetBy(place, needed);
    const isCloser =
      matchApprovals(needed, [...votes, { meets }]).size > matchApprovals(needed, votes).size;
    if (isCloser)
      return { standsInFor: standsInFor(approval, person, place), counted: { votes, meets } };
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
  voters: Person[],
  place: Person,
): boolean {
  if (placeOf(vote) === place.slackUserId) return true;
  if ((vote.standsInFor ?? vote).mailboxHash === hashMailbox({ id }, place)) return true;
  const voter = voters.find(({ slackUserId }) => slackUserId === vote.by);
  const now = [voter, ...(voter?.standsInFor ?? [])].find(
    (one) => one?.slackUserId === placeOf(vote),
  );
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
