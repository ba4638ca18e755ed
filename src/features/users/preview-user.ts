import type { ServiceClient } from '../../dataprotection/client.ts';
import type { User } from '../../dataprotection/resources/users.ts';
import { cutMrkdwn } from '../../slack/ui/mrkdwn.ts';
import { noValue } from '../../slack/ui/unknown-fields.ts';
import type { Detail } from '../approvals/index.ts';
import { findUser } from './find-users.ts';
import { type Access, readAccess } from './user-access.ts';
import { snapshotOf, type UserSnapshot } from './user-snapshot.ts';
import { accessTexts, timestampText } from './views/format-user.ts';

/** The user as they are now: what a decision rests on, and what to show whoever decides. */
export async function lookAtUser(
  client: ServiceClient,
  { id }: { id: string },
): Promise<{ snapshot: UserSnapshot; preview: Detail[] } | undefined> {
  const user = await findUser(client, id);
  if (!user) return undefined;
  return { snapshot: snapshotOf(user), preview: previewOf(user, await readAccess(client, user)) };
}

function previewOf(user: User, access: Access[] | undefined): Detail[] {
  return [
    { label: 'State', value: enabledText(user) },
    ...(user.isConfirmed === false
      ? [{ label: 'Confirmed', value: 'no, the invitation was never accepted' }]
      : []),
    ...(access ? [{ label: 'Roles', value: rolesText(access) }] : []),
    { label: 'Last activity', value: timestampText(user.lastActivityTimestamp) },
  ];
}

function enabledText({ isEnabled }: User): string {
  if (isEnabled === undefined) return 'not told by the service';
  return isEnabled ? 'enabled' : 'disabled';
}

function rolesText(access: Access[]): string {
  return cutMrkdwn(accessTexts(access).join('; '), 600) || noValue;
}
