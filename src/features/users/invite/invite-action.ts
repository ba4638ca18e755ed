import { isPrivateId } from '../../../audit-log/entry.ts';
import type { ServiceClient } from '../../../dataprotection/client.ts';
import { isSuperAdministrator, rankOfRole } from '../../../dataprotection/dialects/live-roles.ts';
import { deleteUser, inviteUser } from '../../../dataprotection/resources/users.ts';
import { isSamePerson } from '../../../mailbox.ts';
import type { ActionDefinition, Check, CheckContext, Step } from '../../../requests/action.ts';
import {
  type ActionEntries,
  defineAction,
  openSameService,
} from '../../../requests/define-action.ts';
import type { Person } from '../../../slack/api/person.ts';
import { joinToSections } from '../../../slack/ui/blocks.ts';
import { limits } from '../../../slack/ui/limits.ts';
import { bold, mention, readShown, safeName, stripMarkup } from '../../../slack/ui/mrkdwn.ts';
import { isValidTypedName } from '../../../slack/ui/typed-name.ts';
import { isAdmin } from '../../../workspace/permissions.ts';
import { removalLimit } from '../bulk/several-users.ts';
import { checkProtectedUser, isProtectedRole } from '../check-protected-user.ts';
import { findUser } from '../find-users.ts';
import { previewUser } from '../preview-user.ts';
import { formatConsequences, invitationDifferences } from '../views/format-invitation.ts';
import { userMrkdwn, userText } from '../views/format-user.ts';
import { inviteActionId, inviteButton, viewButton } from '../views/ids.ts';
import {
  type InvitationPayload,
  type InvitationSnapshot,
  type InvitationSource,
  invitationPayload,
  invitationSnapshot,
  readSource,
  snapshotInvitation,
  subjectOf,
} from './stored-invitation.ts';

type InviteStep = Step<InvitationSnapshot, InvitationSource>;

/** 7 days, and a minute because clocks differ. */
const invitationMs = 7 * 24 * 60 * 60_000 + 60_000;

const invite: ActionDefinition<InvitationPayload, InvitationSnapshot, InvitationSource> = {
  name: inviteActionId,
  payload: invitationPayload,
  personalFields: { removed: [], replaced: ['email', 'fullName'] },
  snapshot: invitationSnapshot,
  limit: removalLimit,
  limitedBy: 'replaces',
  describe(payload, { subjectId = subjectOf(payload) }) {
    const { email, fullName, role, replaces } = payload;
    const person = { id: subjectId, email, fullName };
    const isUser = !isPrivateId(subjectId);
    const lines = formatConsequences(payload);
    // A role that Belay doesn't know counts as an administrator's.
    const isLimited = rankOfRole(role.name) === 'limited' && !isSuperAdministrator(role);
    const send = inviteStep(payload, subjectId);
    return {
      subjectId: subjectOf(payload),
      summary: `invite ${bold(fullName)} (${safeName(email, 120)})${replaces ? ' again' : ''} as ${bold(role.name, 100)}`,
      audited: { subject: userText(person), changes: stripMarkup(lines.join('\n')) },
      changes: () => joinToSections(lines),
      requiredApprovals: ({ administratorApprovals }) => (isLimited ? 1 : administratorApprovals),
      style: 'primary',
      steps: replaces ? [deleteStep(replaces), { ...send, expects: withoutUser }] : [send],
      isShownExactly: (seen) => isAsShown(payload, seen),
      requestAgain: inviteButton(
        'Request again…',
        replaces ? { userId: replaces } : { email, fullName },
      ),
      view: isUser ? viewButton(person) : undefined,
      open: openSameService,
      readSubject: (client) => readSource(client, email),
      snapshotOf: (source) => snapshotInvitation(payload, source),
      preview: async (client, { user }) => (user ? previewUser(client, user) : []),
      differences: invitationDifferences,
      isSubject: isSamePerson,
      changeRefusal: (requester) => roleRefusal(role, requester),
      checks: (source, context) => checkProtection(payload, source, context),
    };
  },
};

/** Who may be invited, only after approval. */
export const invitationActions = {
  'users.invite': defineAction(invite),
} satisfies Partial<ActionEntries>;

/** Sent at most once. After a lost answer, the address shows whether the person was invited. */
function inviteStep(
  { email, fullName, role, units }: InvitationPayload,
  userId: string,
): InviteStep {
  const words = 'The invitation expires after 7 days.';
  return {
    name: 'invite',
    sendsOnce: true,
    plan: 'The new invitation is sent',
    done: `${userMrkdwn({ id: userId, email, fullName })} was invited.`,
    async isDone(read, sent) {
      // Unless it may be Belay's, a user with this address voids the request.
      const user = sent && (await read())?.user;
      return user ? { state: 'done', words, createdId: user.id } : false;
    },
    async run(client) {
      const organizationalUnitIds = units.map(({ id }) => id);
      const invitation = { email, fullName, roleId: role.id, organizationalUnitIds };
      const { id: createdId } = await inviteUser(client, invitation);
      return { state: 'done', words, createdId };
    },
    followUp: { afterMs: invitationMs, look: (client) => findExpiry(client, userId, fullName) },
    undo: { ...inviteButton('Invite again…', { userId }), action: inviteActionId },
  };
}

/** The service shows no difference between an open and an expired invitation. */
async function findExpiry(client: ServiceClient, userId: string, fullName: string) {
  const user = await findUser(client, userId);
  if (user?.isConfirmed !== false) return undefined;
  return `${bold(fullName)} hasn't accepted, and the invitation expired.`;
}

function deleteStep(userId: string): InviteStep {
  return {
    name: 'delete',
    mustBeOurs: true,
    done: 'The earlier invitation was deleted.',
    isDone: async (read) => (await read())?.user?.id !== userId,
    async run(client) {
      await deleteUser(client, userId);
      return { state: 'done' };
    },
  };
}

function withoutUser(snapshot: InvitationSnapshot): InvitationSnapshot {
  return { ...snapshot, user: null };
}

/** Only admins may request the highest role, as in the form (`grantableRoles`). */
function roleRefusal(role: InvitationPayload['role'], requester: Person): string | undefined {
  if (!isSuperAdministrator(role) || isAdmin(requester)) return undefined;
  return `${mention(requester.slackUserId)} isn't an admin, and only admins can request this role.`;
}

/** Names that look alike can belong to different roles, so each must be shown in full. */
function isAsShown(payload: InvitationPayload, seen: InvitationSnapshot): boolean {
  const { email, fullName, role, units } = payload;
  const isNamed = (name: string, now: string | null | undefined, max = 200) =>
    name === now && readShown(safeName(name, max)) === name;
  return (
    isNamed(email, seen.email, 120) &&
    isValidTypedName(fullName) &&
    isNamed(role.name, seen.role, 100) &&
    units.every(({ name }, index) => isNamed(name, seen.units[index])) &&
    formatConsequences(payload).join('\n').length <= limits.textOfBlocks
  );
}

/** Belay deletes no protected user, not even to invite them again, and creates none with a protected role. */
async function checkProtection(
  { role }: InvitationPayload,
  { user }: InvitationSource,
  { service: { client }, settings }: CheckContext,
): Promise<Check[]> {
  const { protectedUsers } = settings.access;
  if (isProtectedRole(role, protectedUsers.roles)) {
    const detail = `The role ${bold(role.name, 100)} is protected in this workspace. Invite this person in the service's portal.`;
    return [{ label: 'protected_user', result: 'refused', detail }];
  }
  const protection = user && (await checkProtectedUser(client, user, protectedUsers));
  return protection ? [protection] : [];
}
