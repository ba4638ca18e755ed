import type { ServiceClient } from '../../../dataprotection/client.ts';
import { isSuperAdministrator } from '../../../dataprotection/dialects/live-roles.ts';
import type { Approvals } from '../../../requests/approvals.ts';
import { notRequestedMessage } from '../../../requests/views/request-fields.ts';
import type { Person } from '../../../slack/api/person.ts';
import type { SubmissionOf } from '../../../slack/interactions/interaction.ts';
import type { Message } from '../../../slack/ui/blocks.ts';
import { parseTypedName } from '../../../slack/ui/typed-name.ts';
import { shownRights } from '../../../workspace/permissions.ts';
import { findUser } from '../find-users.ts';
import { autoProvisionedText } from '../views/format-invitation.ts';
import { userMrkdwn } from '../views/format-user.ts';
import type { inviteForm } from '../views/invite-form.ts';
import { invitationActions } from './invite-action.ts';
import { type InvitationSource, isInvited, readSource } from './stored-invitation.ts';

/** Reads everything again, since the form passed through a client, and requests approval. */
export async function submitInvitation(
  call: SubmissionOf<typeof inviteForm>,
  approvals: Approvals,
): Promise<Message> {
  const { person, metadata, entered } = call;
  const { reason, breakGlass: isBreakGlass } = entered;
  const { channelId, userId, repeats } = metadata;
  const refuse = (why: string) => notRequestedMessage(`${why} No request was sent.`, reason);
  const service = await call.service();
  const invitee = await readInvitee(service.client, { userId, email: entered.email });
  if ('problem' in invitee) return refuse(invitee.problem);
  const { email, source } = invitee;
  const fullName = parseTypedName(entered.fullName);
  const { role: roleId = '' } = entered;
  const role = grantableRoles(source, person).get(roleId);
  if (role === undefined) return refuse('The role is no longer available to you.');
  const units = entered.units.flatMap((id) => {
    const name = source.units.get(id);
    return name === undefined ? [] : [{ id, name }];
  });
  if (units.length < entered.units.length) return refuse('A unit no longer exists.');
  const payload = {
    email,
    fullName: 'name' in fullName ? fullName.name : '',
    role: { id: roleId, name: role },
    units,
    replaces: userId,
  };
  const prepared = invitationActions['users.invite'].prepare(payload, source, service);
  if (!prepared.action.isShownExactly()) {
    return refuse("Slack can't show this role and these units in full. Use the service's portal.");
  }
  const isRepeat = prepared.action.subjectId === repeats;
  return approvals.request(call, { prepared, reason, channelId, isBreakGlass, isRepeat });
}

/**
 * What the invitation starts from, or why there can be none: mrkdwn. `userId`: of the user who is invited
 * again.
 * @throws {ServiceError}
 */
export async function readInvitee(
  client: ServiceClient,
  { userId, email: typed }: { userId?: string | undefined; email?: string | undefined },
): Promise<
  { source: InvitationSource; email: string } | { problem: string; user?: InvitationSource['user'] }
> {
  const replaced = userId === undefined ? undefined : await findUser(client, userId);
  if (userId !== undefined && !replaced) {
    return { problem: 'This user is no longer in the service.' };
  }
  const email = replaced ? replaced.email : typed;
  const source = await readSource(client, email);
  const { user, isAutoProvisioned } = source;
  if (isAutoProvisioned) return { problem: autoProvisionedText };
  if (replaced && !isInvited(replaced)) {
    const why = replaced.isConfirmed ? 'accepted the invitation' : "can't be invited again here";
    return { problem: `${userMrkdwn(replaced)} ${why}.` };
  }
  if (user && user.id !== userId) {
    const state = user.isConfirmed === false ? 'has already been invited' : 'is already a user';
    return { problem: `${userMrkdwn(user)} ${state}.`, user };
  }
  return { source, email: email ?? '' };
}

/** The names of roles by id. Only admins may ask for the highest one. */
export function grantableRoles(
  { roles }: Pick<InvitationSource, 'roles'>,
  person: Person,
): ReadonlyMap<string, string> {
  if (shownRights.isAdmin(person)) return roles;
  return new Map([...roles].filter(([id, name]) => !isSuperAdministrator({ id, name })));
}
