import type { Person } from '../../../slack/api/person.ts';
import { mention } from '../../../slack/ui/mrkdwn.ts';
import type { Members } from '../../access/index.ts';
import type { RequiredApproval } from '../../workspaces/index.ts';
import type { Approval } from '../approval.ts';
import { missingAddressRefusal, samePersonRefusal, subjectRefusal } from '../guards.ts';
import { readMember } from '../people/read-member.ts';
import { matchApprovals } from './match-approvals.ts';

export type ShortfallQuestion = {
  /** Of the rule; never empty. */
  needed: RequiredApproval[];
  /** Undefined while a rule is only planned: then anybody may be the requester. */
  requester?: Person | undefined;
  isSubject?: ((person: Person) => 'no' | 'yes' | 'unknown') | undefined;
  /** What the people who have approved count for. */
  votes?: Approval['votes'];
  readPerson: (slackUserId: string) => Promise<Person>;
  listMembers: (ids: string[]) => Promise<Members>;
};

/** One approval of a rule for which too few people are left. */
export type Shortfall = RequiredApproval & {
  /** Who could give it: Slack user ids. As many as are needed if they are all needed elsewhere. */
  able: string[];
  /** Why others can't: a sentence of mrkdwn each. */
  reasons: string[];
};

type Candidate = { person: Person; meets: number[] };

const maxLookedUp = 60;

/**
 * The approvals of a rule that can't be given by people as they are now, all of them different and
 * other than the requester and the subject; empty if the rule can be met. People are looked up one by
 * one until enough are found; in large groups in which the first can't approve, others are assumed to.
 */
export async function findShortfall(question: ShortfallQuestion): Promise<Shortfall[]> {
  const { needed, requester, votes = [] } = question;
  const missing = requester && missingAddressRefusal(requester);
  if (missing) return needed.map((one) => ({ ...one, able: [], reasons: [missing] }));
  const members = await Promise.all(needed.map(({ from }) => question.listMembers(from)));
  const found: Candidate[] = [];
  const refused: { meets: number[]; reason: string }[] = [];
  const ids = new Set(members.flatMap(({ people }) => people));
  let lookedUp = 0;
  for (const id of ids) {
    const vote = votes.find(({ by }) => by === id);
    const meets = members.flatMap(({ people }, index) =>
      people.includes(id) && (vote?.meets?.includes(index) ?? !vote) ? [index] : [],
    );
    const before = matchApprovals(needed, found);
    if (before.isComplete) return [];
    // Nobody is looked up for an approval that others can give.
    if (matchApprovals(needed, [...found, { meets }]).size === before.size) continue;
    lookedUp += 1;
    if (lookedUp > maxLookedUp) return [];
    const person = await readMember(id, question.readPerson);
    const reason = person
      ? refuseCandidate(person, question, found)
      : `${mention(id)} is no longer a full member of this workspace.`;
    if (person && reason === undefined) found.push({ person, meets });
    else if (reason !== undefined) refused.push({ meets, reason });
  }
  const match = matchApprovals(needed, found);
  return needed.flatMap((one, index) => {
    if (match.missing[index] === 0) return [];
    const able = found.flatMap(({ person, meets }) =>
      meets.includes(index) ? [person.slackUserId] : [],
    );
    const { people, unread } = members[index] ?? { people: [], unread: [] };
    const reasons = [
      ...refused.flatMap(({ meets, reason }) => (meets.includes(index) ? [reason] : [])),
      ...unread.map((id) => `Slack didn't return the members of ${mention(id)}.`),
      ...(people.length === 0 && unread.length === 0
        ? one.from.map((id) => `Nobody is in ${mention(id)}.`)
        : []),
    ];
    return [{ ...one, able, reasons }];
  });
}

/** Two accounts of one person count once. */
function refuseCandidate(
  person: Person,
  { requester, isSubject }: ShortfallQuestion,
  found: Candidate[],
): string | undefined {
  const { slackUserId } = person;
  if (slackUserId === requester?.slackUserId) return `${mention(slackUserId)} is the requester.`;
  const others = [...(requester ? [requester] : []), ...found.map((one) => one.person)];
  return (
    (isSubject && subjectRefusal(isSubject(person), person)) ??
    missingAddressRefusal(person) ??
    others.map((other) => samePersonRefusal(other, person)?.why).find((why) => why !== undefined)
  );
}
