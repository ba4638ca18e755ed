import type { StopReason } from '../../audit-log/registry.ts';
import type { Person } from '../../slack/api/person.ts';
import { mention } from '../../slack/ui/mrkdwn.ts';
import { mayDecide } from '../../workspace/permissions.ts';
import type { RequiredApproval } from '../../workspace/rules.ts';
import type { WorkspaceSettings } from '../../workspace/settings/document.ts';
import type { Action } from '../action.ts';
import { type Approval, placeOf, type Vote } from '../approval.ts';
import { samePersonRefusal, subjectRefusal } from '../guards.ts';
import { standingsOf } from '../people/places.ts';
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

/** Why an approval that counted no longer does: full sentences, mrkdwn. */
type LostVote = { stopReason: StopReason; why: string };

/** `lost` is undefined also if it didn't count before. */
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
export function recheckVotes(
  { votes }: Pick<Approval, 'votes'>,
  action: Pick<Action, 'isSubject'>,
  { needed, requester, voters, settings }: VoteQuestion,
): CountedVote[] {
  const counted: Person[] = [];
  const taken: Person[] = [];

  function refuse(person: Person, earlier: Person[]): LostVote | undefined {
    const same = samePersonRefusal(requester, person);
    if (same) return { stopReason: 'same_person', why: same.why };
    const double = earlier.map((other) => samePersonRefusal(other, person)).find(Boolean);
    if (double) return { stopReason: 'too_few_approvals', why: double.why };
    const about = subjectRefusal(action.isSubject(person), person);
    return about === undefined ? undefined : { stopReason: 'guard_refused', why: about };
  }

  /** What the approval counts for, or why for nothing. Asks for no right that it doesn't rest on. */
  function count(vote: Vote): number[] | LostVote {
    const voter = voters.find(({ slackUserId }) => slackUserId === vote.by);
    if (voter?.membership !== 'member') return lostRight(vote, votes);
    const lost = refuse(voter, counted);
    if (lost) return lost;
    counted.push(voter);
    const place = standingsOf(voter, peopleIn(needed), settings).find(
      ({ slackUserId }) => slackUserId === placeOf(vote),
    );
    const now = place ? approvalsMetBy(place, needed) : [];
    const meets = now.filter((one) => vote.meets.includes(one));
    if (!place || meets.length === 0) return lostRight(vote, votes);
    const lostPlace = refuse(place, taken);
    if (lostPlace) return lostPlace;
    taken.push(place);
    return meets;
  }

  return votes.map((vote) => {
    const found = count(vote);
    if (Array.isArray(found)) return { ...vote, meets: found, lost: undefined };
    return { ...vote, meets: [], lost: vote.meets.length > 0 ? found : undefined };
  });
}

function lostRight({ by }: Vote, { length }: Vote[]): LostVote {
  const who = length === 1 ? 'The approver' : mention(by);
  const why = `${who} is no longer allowed to decide. Submit the request again.`;
  return { stopReason: 'approver_not_allowed', why };
}
