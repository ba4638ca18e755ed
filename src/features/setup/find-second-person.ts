import type { Logger } from '../../logger.ts';
import { isSamePerson } from '../../mailbox.ts';
import type { AdminDirectory } from '../../slack/api/list-admins.ts';
import { findMember, type Person } from '../../slack/api/person.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import type { Access } from '../../workspace/access/access.ts';

/** A large group is taken to have somebody who can approve once so many were looked up. */
const maxLookedUp = 60;

/** Who can approve a change of the setup. */
export type SecondPerson = {
  decidedBy: 'approvers' | 'admins';
  /** Belay could not find out whether any of them is active, and assumes it. */
  isAssumed: boolean;
};

type Call = { slack: SlackClient; person: Person; log: Logger };
type Directories = {
  access: Pick<Access, 'readPerson' | 'listMembers'>;
  adminDirectory: AdminDirectory;
};

/**
 * Who else could approve: the approvers in force or, if none of them is active, the other admins.
 * Undefined if there is nobody. Asks Slack each time; what it can't tell counts as able to approve.
 */
export async function findSecondPerson(
  approvers: string[],
  call: Call,
  directories: Directories,
): Promise<SecondPerson | undefined> {
  const { people, unread } = await directories.access.listMembers(call.slack, approvers);
  const others = people.filter((id) => id !== call.person.slackUserId);
  const found: (boolean | 'unread')[] = unread.length > 0 ? ['unread'] : [];
  for (const id of others.slice(0, maxLookedUp)) {
    found.push(await isActiveApprover(id, call, directories.access));
    if (found.includes(true)) return { decidedBy: 'approvers', isAssumed: false };
  }
  if (found.includes('unread') || others.length > maxLookedUp)
    return { decidedBy: 'approvers', isAssumed: true };
  const admins = await hasOtherAdmin(call, directories);
  return admins === false ? undefined : { decidedBy: 'admins', isAssumed: admins === 'unread' };
}

async function isActiveApprover(
  slackUserId: string,
  { slack, person, log }: Call,
  { readPerson }: Directories['access'],
): Promise<boolean | 'unread'> {
  try {
    const other = await findMember(readPerson(slack, slackUserId));
    return other !== undefined && isSamePerson(other, person) !== 'yes';
  } catch (error) {
    log.warn({ err: error }, 'whether an approver is active could not be read');
    return 'unread';
  }
}

async function hasOtherAdmin(
  { slack, person, log }: Call,
  { access, adminDirectory: directory }: Directories,
): Promise<boolean | 'unread'> {
  const isOther = (admin: Person) =>
    admin.slackUserId !== person.slackUserId && isSamePerson(admin, person) !== 'yes';
  try {
    // Most of the time one of the admins of a minute ago still is one, which is quick to see.
    const [known] = (await directory.read(slack)).people.filter(isOther);
    if (known) {
      const current = await access.readPerson(slack, known.slackUserId);
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
