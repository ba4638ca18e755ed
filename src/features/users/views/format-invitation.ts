import {
  isSuperAdministrator,
  type RoleRank,
  rankOfRole,
} from '../../../dataprotection/dialects/live-roles.ts';
import { bold, safeName } from '../../../slack/ui/mrkdwn.ts';
import type { InvitationPayload, InvitationSnapshot } from '../invite/stored-invitation.ts';
import { userDifferences } from './format-user-differences.ts';

export const notOfferedText =
  "This service doesn't offer invitations through its API. Use the service's portal.";

export const autoProvisionedText =
  'Automatic user provisioning is on: your identity provider sets roles and organizational units, so the service would refuse the invitation.';

const afterRole: Record<RoleRank, string> = {
  'super-administrator': " ⚠ *Administrator's role*",
  administrator: " ⚠ *Administrator's role*",
  unknown: " ⚠ Belay doesn't know what this role allows and treats it as an administrator's.",
  limited: '',
};

/** What the invitation leads to, one line each: mrkdwn. */
export function formatConsequences({ role, units, replaces }: InvitationPayload): string[] {
  const rank = isSuperAdministrator(role) ? 'super-administrator' : rankOfRole(role.name);
  return [
    `*Role*: ${safeName(role.name, 200)}${afterRole[rank]}`,
    ...units.map(({ name }) => `*Organizational unit*: ${safeName(name, 200)}`),
    'The service emails the invitation, which expires after 7 days.',
    ...(replaces === undefined
      ? []
      : ['The earlier invitation is deleted, and its link stops working.']),
  ];
}

/** What changed since the request, one sentence each; never empty for snapshots that differ. */
export function invitationDifferences(
  before: InvitationSnapshot,
  after: InvitationSnapshot,
): string[] {
  if (after.isAutoProvisioned && !before.isAutoProvisioned) return [autoProvisionedText];
  if (after.user?.isConfirmed && !before.user?.isConfirmed) {
    return [`This person ${before.user ? 'accepted the invitation' : 'is already a user'}.`];
  }
  if (after.user && !before.user) return ['This person was invited meanwhile.'];
  if (before.user && !after.user) return ['The earlier invitation was deleted meanwhile.'];
  const sentences = [
    ...(before.user && after.user ? userDifferences(before.user, after.user) : []),
    ...nameDifference('role', before.role, after.role),
    ...before.units.flatMap((unit, index) =>
      nameDifference('organizational unit', unit, after.units[index] ?? null),
    ),
  ];
  return sentences.length > 0 ? sentences : ['The invitation changed.'];
}

function nameDifference(what: string, before: string | null, after: string | null): string[] {
  if (before === after || before === null) return [];
  return after === null
    ? [`The ${what} ${bold(before, 100)} no longer exists.`]
    : [`The ${what} ${bold(before, 100)} is now named ${bold(after, 100)}.`];
}
