import { z } from 'zod';
import type { ViewValues } from '../../../slack/ui/view-values.ts';
import type { Roles, WorkspaceSettings } from '../../workspaces/index.ts';
import { readMembers } from '../views/member-inputs.ts';

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
  const read = (role: RoleName) => readMembers(values, role, { hasGroups, before: before[role] });
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
