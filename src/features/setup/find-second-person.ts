import type { Logger } from '../../logger.ts';
import { isSamePerson } from '../../mailbox.ts';
import { isRecipientGone } from '../../slack/api/error-codes.ts';
import type { AdminDirectory } from '../../slack/api/list-admins.ts';
import { type Person, readPerson } from '../../slack/api/person.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';

/** Who can approve a change of the setup. */
export type SecondPerson = {
  decidedBy: 'approvers' | 'admins';
  /** Belay could not find out whether any of them is active, and assumes it. */
  isAssumed: boolean;
};

type Call = { slack: SlackClient; person: Person; log: Logger };

/**
 * Who else could approve: the approvers in force or, if none of them is active, the other admins.
 * Undefined if there is nobody. Asks Slack each time; what it can't tell counts as able to approve.
 */
export async function findSecondPerson(
  approvers: string[],
  call: Call,
  directory: AdminDirectory,
): Promise<SecondPerson | undefined> {
  const others = approvers.filter((id) => id !== call.person.slackUserId);
  const found = await Promise.all(others.map((id) => isActiveApprover(id, call)));
  if (found.includes(true)) return { decidedBy: 'approvers', isAssumed: false };
  if (found.includes('unread')) return { decidedBy: 'approvers', isAssumed: true };
  const admins = await hasOtherAdmin(call, directory);
  return admins === false ? undefined : { decidedBy: 'admins', isAssumed: admins === 'unread' };
}

async function isActiveApprover(
  slackUserId: string,
  { slack, person, log }: Call,
): Promise<boolean | 'unread'> {
  try {
    const other = await readPerson(slack, slackUserId);
    return other.membership === 'member' && isSamePerson(other, person) !== 'yes';
  } catch (error) {
    if (isRecipientGone(error)) return false;
    log.warn({ err: error }, 'whether an approver is active could not be read');
    return 'unread';
  }
}

async function hasOtherAdmin(
  { slack, person, log }: Call,
  directory: AdminDirectory,
): Promise<boolean | 'unread'> {
  const isOther = (admin: Person) =>
    admin.slackUserId !== person.slackUserId && isSamePerson(admin, person) !== 'yes';
  try {
    // Most of the time one of the admins of a minute ago still is one, which is quick to see.
    const [known] = (await directory.read(slack)).people.filter(isOther);
    if (known) {
      const current = await readPerson(slack, known.slackUserId);
      if (current.isAdmin && current.membership === 'member' && isOther(current)) return true;
    }
    const { people, isComplete } = await directory.read(slack, { isFresh: true });
    if (people.some(isOther)) return true;
    // A list without the admin who asks is missing people, so it doesn't show that nobody else is there.
    const hasRequester = people.some(({ slackUserId }) => slackUserId === person.slackUserId);
    return isComplete && hasRequester ? false : 'unread';
  } catch (error) {
    log.warn({ err: error }, 'the admins of a workspace could not be listed');
    return 'unread';
  }
}
