import { type StopReason, stopReasons } from '../../audit-log/registry.ts';
import type { Person } from '../../slack/api/person.ts';
import { mention } from '../../slack/ui/mrkdwn.ts';
import { mayDecide } from '../../workspace/permissions.ts';
import type { RequiredApproval } from '../../workspace/rules.ts';
import type { WorkspaceSettings } from '../../workspace/workspace.ts';
import type { Action } from '../action.ts';
import { type Approval, placeOf, type Vote } from '../approval.ts';
import { samePersonRefusal, subjectRefusal } from '../guards.ts';
import { placesOf } from '../people/places.ts';
import { peopleIn } from './match-approvals.ts';

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

/** Why an approval no longer counts: full sentences, mrkdwn. */
type LostVote = { stopReason: StopReason; why: string };

type CountedVote = Vote & { lost: LostVote | undefined };

/** The approvals so far as they count now, and what the next one would count for. */
export type CountedVotes = { votes: Vote[]; meets: number[] };

/** `voters` have given the approvals, and are read as they are now, as is `requester`. */
export type VoteQuestion = {
  needed: RequiredApproval[];
  requester: Person;
  voters: Person[];
  settings: Pick<WorkspaceSettings, 'approvers'>;
};

/**
 * The approvals so far with what each still counts for: nothing if the person has lost the right to
 * approve, is the requester, the subject or an earlier approver under another account, or may be, or no
 * longer stands in for the approver in whose place they approved. Each place counts once. What somebody
 * became only after they approved doesn't count.
 * @throws GroupUnreadError
 */
export function countVotes(
  { votes, snapshot }: Pick<Approval, 'votes' | 'snapshot'>,
  action: Pick<Action, 'isSubject'>,
  { needed, requester, voters, settings }: VoteQuestion,
): CountedVote[] {
  const counted: Person[] = [];
  const taken: Person[] = [];

  function refuse(person: Person, earlier: Person[]): LostVote | undefined {
    const same = samePersonRefusal(requester, person);
    if (same) return { stopReason: stopReasons.samePerson.id, why: same.why };
    const double = earlier.map((other) => samePersonRefusal(other, person)).find(Boolean);
    if (double) return { stopReason: stopReasons.tooFewApprovals.id, why: double.why };
    const about = subjectRefusal(action.isSubject(snapshot, person), person);
    return about === undefined
      ? undefined
      : { stopReason: stopReasons.guardRefused.id, why: about };
  }

  return votes.map((vote) => {
    const voter = voters.find(({ slackUserId }) => slackUserId === vote.by);
    const lostAsPerson = voter && refuse(voter, counted);
    if (voter && !lostAsPerson) counted.push(voter);
    const place =
      voter &&
      placesOf(voter, peopleIn(needed), settings).find(
        ({ slackUserId }) => slackUserId === placeOf(vote),
      );
    const now = place ? approvalsMetBy(place, needed) : [];
    const meets = now.filter((one) => vote.meets.includes(one));
    if (!place || meets.length === 0) return { ...vote, meets: [], lost: lostRight(vote, votes) };
    const lost = lostAsPerson ?? refuse(place, taken);
    if (lost) return { ...vote, meets: [], lost };
    taken.push(place);
    return { ...vote, meets, lost: undefined };
  });
}

function lostRight({ by }: Vote, { length }: Vote[]): LostVote {
  const who = length === 1 ? 'The approver' : mention(by);
  const why = `${who} is no longer allowed to decide. Submit the request again.`;
  return { stopReason: stopReasons.approverNotAllowed.id, why };
}
