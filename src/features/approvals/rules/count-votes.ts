import type { Person } from '../../../slack/api/person.ts';
import { mayDecide, type RequiredApproval } from '../../workspaces/index.ts';
import type { Action } from '../action.ts';
import type { Approval, Vote } from '../approval.ts';
import { samePersonRefusal } from '../guards.ts';
import { canTakePart, voterPlaceOf } from '../people/places.ts';
import { neededApprovals, peopleIn } from './match-approvals.ts';

/** `shownRights` for what is only shown. */
type Rights = { mayDecide: typeof mayDecide };

/**
 * Which of the approvals the person could count for at this moment: positions, from 0.
 * @throws GroupUnreadError if Slack didn't return the members of a group
 */
export function approvalsMetBy(
  person: Person,
  needed: RequiredApproval[],
  rights: Rights = { mayDecide },
): number[] {
  return needed.flatMap(({ from }, index) => (rights.mayDecide(person, from) ? [index] : []));
}

/** Whether a request has a rule by which the person could approve it. @throws GroupUnreadError */
export function isNamedInRule(
  approval: Pick<Approval, 'rule' | 'requiredApprovals'>,
  person: Person,
  rights: Rights = { mayDecide },
): boolean {
  const needed = neededApprovals(approval);
  return needed.length > 0 && rights.mayDecide(person, peopleIn(needed));
}

/** An approval that counts by a rule. */
type RuledVote = Vote & { meets: number[] };

/** The approvals so far as they count now, and what the next one would count for. */
export type RuledVotes = { votes: RuledVote[]; meets: number[] };

/**
 * The approvals so far with what each still counts for: nothing if the person has left the groups, is
 * the requester, the subject or an earlier approver under another account, or may be, or no longer
 * stands in for the approver in whose place they approved. Each place counts once. What somebody became
 * only after they approved doesn't count. `voters` are in the order of the votes.
 * @throws GroupUnreadError
 */
export function countVotes(
  { votes, snapshot }: Pick<Approval, 'votes' | 'snapshot'>,
  action: Pick<Action, 'isSubject'>,
  {
    needed,
    requester,
    voters,
  }: { needed: RequiredApproval[]; requester: Person; voters: Person[] },
): RuledVote[] {
  const request = { snapshot, requester: requester.slackUserId };
  const counted: Person[] = [requester];
  const taken: Person[] = [];
  const areOthers = (people: Person[], person: Person) =>
    people.every((other) => samePersonRefusal(other, person) === undefined);
  return votes.map((vote, index) => {
    const voter = voters[index];
    const isOther =
      voter?.slackUserId === vote.by &&
      action.isSubject(snapshot, voter) === 'no' &&
      areOthers(counted, voter);
    if (!isOther) return { ...vote, meets: [] };
    counted.push(voter);
    const { place } = voterPlaceOf(vote, voter);
    const isFree =
      place && canTakePart(place, request, action, requester) && areOthers(taken, place);
    const now = isFree ? approvalsMetBy(place, needed) : [];
    const meets = now.filter((one) => vote.meets?.includes(one));
    if (place && meets.length > 0) taken.push(place);
    return { ...vote, meets };
  });
}
