import { isRecipientGone } from '../../../slack/api/error-codes.ts';
import type { Person } from '../../../slack/api/person.ts';
import { mention } from '../../../slack/ui/mrkdwn.ts';
import { missingAddressRefusal, samePersonRefusal, subjectRefusal } from '../guards.ts';

type Question = {
  requester: Person;
  /** Slack user ids; empty if the admins of the workspace decide. */
  approvers: string[];
  isSubject: (person: Person) => 'no' | 'yes' | 'unknown';
  readPerson: (slackUserId: string) => Promise<Person>;
};

/**
 * Why nobody could decide a request, one sentence of mrkdwn for each approver; undefined if somebody
 * could. Approvers are looked up one by one until one can. Admins who decide by default are not:
 * Slack would have to list the whole workspace.
 */
export async function refuseApprovers(question: Question): Promise<string[] | undefined> {
  const { requester, approvers } = question;
  const missing = missingAddressRefusal(requester);
  if (missing) return [missing];
  if (approvers.length === 0) return undefined;
  const reasons: string[] = [];
  for (const approver of approvers) {
    const reason = await refuseApprover(approver, question);
    if (reason === undefined) return undefined;
    reasons.push(reason);
  }
  return reasons;
}

async function refuseApprover(
  slackUserId: string,
  { requester, isSubject, readPerson }: Question,
): Promise<string | undefined> {
  const who = mention(slackUserId);
  if (slackUserId === requester.slackUserId) return `${who} requested it.`;
  const gone = `${who} is no longer a full member of this workspace.`;
  try {
    const person = await readPerson(slackUserId);
    if (person.membership !== 'member') return gone;
    return subjectRefusal(isSubject(person), person) ?? samePersonRefusal(requester, person)?.why;
  } catch (error) {
    if (isRecipientGone(error)) return gone;
    throw error;
  }
}
