import type { Logger } from '../../../logger.ts';
import { isRecipientGone } from '../../../slack/api/error-codes.ts';
import type { Admins } from '../../../slack/api/list-admins.ts';
import type { Person } from '../../../slack/api/person.ts';
import { mention } from '../../../slack/ui/mrkdwn.ts';
import { missingAddressRefusal, samePersonRefusal, subjectRefusal } from '../guards.ts';

type Question = {
  requester: Person;
  /** Slack user ids; empty if the admins of the workspace decide. */
  approvers: string[];
  isSubject: (person: Person) => 'no' | 'yes' | 'unknown';
  readPerson: (slackUserId: string) => Promise<Person>;
  readAdmins: (options: { isFresh: boolean }) => Promise<Admins>;
  log: Logger;
};

/**
 * Why nobody could decide a request, one sentence of mrkdwn for each approver; undefined if somebody
 * could. Named approvers are looked up one by one until one can.
 */
export async function refuseApprovers(question: Question): Promise<string[] | undefined> {
  const { requester, approvers } = question;
  const missing = missingAddressRefusal(requester);
  if (missing) return [missing];
  if (approvers.length === 0) return refuseAdmins(question);
  const reasons: string[] = [];
  for (const approver of approvers) {
    const reason = await refuseApprover(approver, question);
    if (reason === undefined) return undefined;
    reasons.push(reason);
  }
  return reasons;
}

/**
 * The same for the admins, who decide if no approvers are named. One on the list of a minute ago is
 * enough if Slack confirms it; a new list is read before all are refused. What Slack can't tell counts
 * as somebody.
 */
async function refuseAdmins(question: Question): Promise<string[] | undefined> {
  const { readAdmins, readPerson, log } = question;
  const canDecide = (person: Person) => refusePerson(person, question) === undefined;
  try {
    const likely = (await readAdmins({ isFresh: false })).people.find(canDecide);
    const current = likely && (await readPerson(likely.slackUserId));
    if (current?.isAdmin && current.membership === 'member' && canDecide(current)) return undefined;
    const { people, isComplete } = await readAdmins({ isFresh: true });
    if (!isComplete || people.length === 0) return undefined;
    const reasons = people.flatMap((person) => refusePerson(person, question) ?? []);
    return reasons.length === people.length ? reasons : undefined;
  } catch (error) {
    log.warn({ err: error }, 'the admins of a workspace could not be listed');
    return undefined;
  }
}

async function refuseApprover(
  slackUserId: string,
  question: Question,
): Promise<string | undefined> {
  const gone = `${mention(slackUserId)} is no longer a full member of this workspace.`;
  try {
    const person = await question.readPerson(slackUserId);
    return person.membership === 'member' ? refusePerson(person, question) : gone;
  } catch (error) {
    if (isRecipientGone(error)) return gone;
    throw error;
  }
}

function refusePerson(person: Person, { requester, isSubject }: Question): string | undefined {
  const { slackUserId } = person;
  if (slackUserId === requester.slackUserId) return `${mention(slackUserId)} is the requester.`;
  return subjectRefusal(isSubject(person), person) ?? samePersonRefusal(requester, person)?.why;
}
