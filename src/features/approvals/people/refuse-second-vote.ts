import type { Person } from '../../../slack/api/person.ts';
import type { Approval } from '../approval.ts';
import { hashMailbox, samePersonRefusal, sharedMailbox } from '../guards.ts';

type SecondVote = { result: 'approved-before' | 'address-missing'; why: string };

const result = 'approved-before';

/** Refuses an approver who has approved this request already, as it is stored: with that mailbox. */
export function refuseRecordedVote(
  { id, votes }: Approval,
  person: Person,
): SecondVote | undefined {
  if (votes.some(({ by }) => by === person.slackUserId)) {
    return { result, why: 'You already approved this request.' };
  }
  const mailboxHash = hashMailbox({ id }, person);
  const same = votes.find((vote) => vote.mailboxHash === mailboxHash);
  return same && { result, why: sharedMailbox(same.by, person.slackUserId) };
}

/**
 * Refuses an approver who has approved this request already, under any account: with the mailbox that
 * the earlier approver had at the click, or has now. A missing address counts as the same mailbox.
 * `readVoters`: the earlier approvers, read only if what is stored doesn't refuse.
 */
export async function refuseSecondVote(
  approval: Approval,
  person: Person,
  readVoters: () => Promise<Person[]>,
): Promise<SecondVote | undefined> {
  const recorded = refuseRecordedVote(approval, person);
  if (recorded) return recorded;
  const voters = await readVoters();
  const refusal = voters.map((voter) => samePersonRefusal(voter, person)).find(Boolean);
  if (!refusal) return undefined;
  return { result: refusal.reason === 'same-mailbox' ? result : refusal.reason, why: refusal.why };
}
