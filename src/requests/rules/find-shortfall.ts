import { mailboxOf } from '../../mailbox.ts';
import { findMember, type Person } from '../../slack/api/person.ts';
import { mention } from '../../slack/ui/mrkdwn.ts';
import type { Members } from '../../workspace/access/access.ts';
import type { RequiredApproval } from '../../workspace/rules.ts';
import type { Action } from '../action.ts';
import { type Approval, placeOf } from '../approval.ts';
import {
  hashMailbox,
  missingAddressRefusal,
  samePersonRefusal,
  sharedMailbox,
  subjectRefusal,
} from '../guards.ts';
import { matchApprovals } from './match-approvals.ts';

export type ShortfallQuestion = {
  needed: RequiredApproval[];
  /** Undefined while a rule is only planned: then anybody may be the requester. */
  requester?: Person | undefined;
  isSubject?: Action['isSubject'] | undefined;
  /** With the approvals so far, which count as they did then; undefined before it is requested. */
  approval?: Pick<Approval, 'id' | 'votes'>;
  readPerson: (slackUserId: string) => Promise<Person>;
  listMembers: (ids: string[]) => Promise<Members>;
};

/** A needed approval for which too few people are left. */
export type Shortfall = RequiredApproval & {
  /** Its position, from 0. */
  index: number;
  /** Who could give it: Slack user ids. As many as are needed if they are all needed elsewhere. */
  able: string[];
  /** Why others can't: a sentence of mrkdwn each. */
  reasons: string[];
  /** Whether Slack didn't return the members of one of its groups, who may be able to. */
  isUnread: boolean;
};

/** What an account could count for: positions, from 0. */
type Account = { id: string; meets: number[] };

/** The accounts of one mailbox, which together count once, for what either could. */
type Candidate = { mailbox: string; accounts: Account[]; meets: number[] };

/** In large groups, so many are looked up before the others are assumed to be able to approve. */
const maxLookedUp = 60;

/**
 * The approvals of a rule that can't be given by people as they are now, all of them different and
 * other than the requester and the subject; empty if the rule can be met. People are looked up one by
 * one until enough are found. Stand-ins change nothing: each decides only in the place of an approver who
 * could decide too.
 */
export async function findShortfall(question: ShortfallQuestion): Promise<Shortfall[]> {
  const { needed, requester } = question;
  const missing = requester && missingAddressRefusal(requester);
  if (missing) {
    const nobody = { able: [], reasons: [missing], isUnread: false };
    return needed.map((one, index) => ({ ...one, index, ...nobody }));
  }
  const members = await Promise.all(needed.map(({ from }) => question.listMembers(from)));
  const found: Candidate[] = [];
  const refused: { meets: number[]; reason: string }[] = [];
  let others = listAccounts(members, question.approval?.votes);
  for (let lookedUp = 0; ; lookedUp += 1) {
    const { size, isComplete } = matchApprovals(needed, found);
    if (isComplete) return [];
    // Nobody is looked up for an approval that others can give. Who adds nothing now may add something
    // after a candidate has got a second account.
    const next = others.find((one) => matchApprovals(needed, [...found, one]).size > size);
    if (!next) break;
    others = others.filter((one) => one !== next);
    const { id, meets } = next;
    const result = lookedUp < maxLookedUp ? await lookUp(id, question) : { mailbox: id };
    if ('reason' in result) {
      refused.push({ meets, reason: result.reason });
      continue;
    }
    const { mailbox } = result;
    const same = found.find((one) => one.mailbox === mailbox);
    if (same) {
      refused.push({ meets, reason: sharedMailbox(same.accounts[0]?.id ?? id, id) });
      same.accounts.push(next);
      same.meets = [...new Set([...same.meets, ...meets])];
    } else found.push({ mailbox, accounts: [next], meets });
  }
  const match = matchApprovals(needed, found);
  return needed.flatMap((one, index) => {
    if (match.missing[index] === 0) return [];
    const able = found.flatMap(
      ({ accounts }) => accounts.find(({ meets }) => meets.includes(index))?.id ?? [],
    );
    const { people, unread } = members[index] ?? { people: [], unread: [] };
    const reasons = [
      ...refused.flatMap(({ meets, reason }) => (meets.includes(index) ? [reason] : [])),
      ...unread.map((id) => `Slack didn't return the members of ${mention(id)}.`),
      ...(people.length === 0 && unread.length === 0
        ? one.from.map((id) => `Nobody is in ${mention(id)}.`)
        : []),
    ];
    return [{ ...one, index, able, reasons, isUnread: unread.length > 0 }];
  });
}

/**
 * The members of all groups, each once. A person who has approved, or whose stand-in has, counts only for
 * what that approval counted for. A person who has approved as a stand-in can't approve again.
 */
function listAccounts(members: Members[], votes: Approval['votes'] = []): Account[] {
  const sets = members.map(({ people }) => new Set(people));
  return [...new Set(members.flatMap(({ people }) => people))].map((id) => {
    const own = votes.find(({ by }) => by === id);
    const vote = own ?? votes.find((one) => placeOf(one) === id && one.meets.length > 0);
    const isElsewhere = own !== undefined && placeOf(own) !== id;
    const meets = [...sets.keys()].filter(
      (index) => sets[index]?.has(id) && !isElsewhere && (vote?.meets.includes(index) ?? true),
    );
    return { id, meets };
  });
}

/** The mailbox of somebody who can approve, or why they can't: a sentence of mrkdwn. */
async function lookUp(
  id: string,
  { requester, isSubject, approval, readPerson }: ShortfallQuestion,
): Promise<{ mailbox: string } | { reason: string }> {
  if (id === requester?.slackUserId) return { reason: `${mention(id)} is the requester.` };
  const person = await findMember(readPerson(id));
  if (!person) return { reason: `${mention(id)} is no longer a full member of this workspace.` };
  const reason =
    (isSubject && subjectRefusal(isSubject(person), person)) ??
    missingAddressRefusal(person) ??
    (requester && samePersonRefusal(requester, person)?.why) ??
    (approval && earlierAccount(approval, person));
  return reason === undefined ? { mailbox: mailboxOf(person.email) ?? id } : { reason };
}

/** Nobody approves a second time under another account. */
function earlierAccount(
  { id, votes }: Pick<Approval, 'id' | 'votes'>,
  person: Person,
): string | undefined {
  if (votes.some((vote) => placeOf(vote) === person.slackUserId)) return undefined;
  const hash = hashMailbox({ id }, person);
  const vote = votes.find((one) => one.mailboxHash === hash);
  if (vote) return sharedMailbox(vote.by, person.slackUserId);
  const place = votes.find(({ standsInFor }) => standsInFor?.mailboxHash === hash);
  return place && sharedMailbox(placeOf(place), person.slackUserId);
}
