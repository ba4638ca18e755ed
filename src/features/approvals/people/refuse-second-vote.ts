import type { Person } from '../../../slack/api/person.ts';
import type { Approval } from '../approval.ts';
import { hashMailbox, samePersonRefusal, sharedMailbox } from '../guards.ts';

export type SecondVote = { result: 'approved-before' | 'address-missing'; why: string };

/**
 * Refuses an approver who has approved this request already, under any account: with the mailbox that
 * the earlier approver had at the click, or has now. A missing address counts as the same mailbox.
 */
export async function refuseSecondVote(
  approval: Approval,
  person: Person,
  readPerson: (teamId: string, slackUserId: string) => Promise<Person>,
): Promise<SecondVote | undefined> {
  const result = 'approved-before';
  for (const { by, mailboxHash } of approval.votes) {
    if (by === person.slackUserId) return { result, why: 'You already approved this request.' };
    if (mailboxHash === hashMailbox(approval, person)) {
      return { result, why: sharedMailbox(by, person.slackUserId) };
    }
    const same = samePersonRefusal(await readPerson(approval.teamId, by), person);
    if (same) {
      return { result: same.reason === 'same-mailbox' ? result : same.reason, why: same.why };
    }
  }
  return undefined;
}
