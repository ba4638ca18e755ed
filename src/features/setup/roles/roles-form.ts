import { z } from 'zod';
import type { Logger } from '../../../logger.ts';
import { slackErrorCode } from '../../../slack/api/error-codes.ts';
import type { SlackClient } from '../../../slack/api/slack-client.ts';
import { listUserGroups, type UserGroup } from '../../../slack/api/user-groups.ts';
import type { ViewValues } from '../../../slack/ui/view-values.ts';
import { isUserGroup, type Roles, type WorkspaceSettings } from '../../workspaces/index.ts';

/** As the form lists them. */
export const roleNames = ['viewers', 'operators', 'approvers', 'auditors', 'admins'] as const;
export type RoleName = (typeof roleNames)[number];

/** Ids of people and user groups by role. */
export type NamedByRole = Record<RoleName, string[]>;

export const rolesMetadata = z.object({
  channelId: z.string().optional(),
  revision: z.int().min(0),
  /** Whether the form has menus of groups: without them, groups stay as they are. */
  hasGroups: z.boolean(),
});
export type RolesMetadata = z.infer<typeof rolesMetadata>;

export const groupsBlockId = (role: RoleName): string => `${role}-groups`;

/** A menu in Slack has no more choices. */
export const maxListedGroups = 100;
/** Slack answers about 20 questions a minute for the members of a group. */
export const maxNamedGroups = 15;

export function namedByRole({ approvers, access }: WorkspaceSettings): NamedByRole {
  return { approvers, ...access.roles };
}

/** What the form says, with the groups that it has no menu for. */
export function readRolesForm(
  values: ViewValues,
  settings: WorkspaceSettings,
  { hasGroups }: Pick<RolesMetadata, 'hasGroups'>,
): NamedByRole {
  const before = namedByRole(settings);
  const read = (role: RoleName) => [
    ...new Set([
      ...values.users(role),
      ...(hasGroups ? values.options(groupsBlockId(role)) : before[role]).filter(isUserGroup),
    ]),
  ];
  return {
    viewers: read('viewers'),
    operators: read('operators'),
    approvers: read('approvers'),
    auditors: read('auditors'),
    admins: read('admins'),
  };
}

export function toSettings(
  settings: WorkspaceSettings,
  { approvers, ...named }: NamedByRole,
): WorkspaceSettings {
  const roles: Roles = { ...settings.access.roles, ...named };
  return { ...settings, approvers, access: { ...settings.access, roles } };
}

/** The groups to choose from, or why there are none. */
export type GroupChoice =
  | { groups: UserGroup[]; isCut: boolean }
  | { groups: undefined; isScopeMissing: boolean };

/** Lists the groups that are named first, so that they can be removed, even if they are gone. */
export async function listChoices(
  named: readonly string[],
  slack: SlackClient,
  log: Logger,
): Promise<GroupChoice> {
  try {
    const inUse = await listUserGroups(slack);
    const gone = named
      .filter((id) => isUserGroup(id) && !inUse.some((group) => group.id === id))
      .map((id) => ({ id, name: `Disabled or deleted group ${id}`, handle: '' }));
    const isNamed = ({ id }: UserGroup) => named.includes(id);
    const all = [...gone, ...inUse.filter(isNamed), ...inUse.filter((one) => !isNamed(one))];
    return { groups: all.slice(0, maxListedGroups), isCut: all.length > maxListedGroups };
  } catch (error) {
    log.warn({ err: error }, 'the user groups of a workspace could not be listed');
    return { groups: undefined, isScopeMissing: slackErrorCode(error) === 'missing_scope' };
  }
}
