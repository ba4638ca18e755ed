import { z } from 'zod';

/** Slack ids of people (`U…`, `W…`) and of user groups (`S…`). */
const members = z.array(z.string().regex(/^[UWS][A-Z0-9]+$/)).max(50);

/**
 * Who has which role besides the approvers that setup names. Without members, every full member is a
 * viewer and an operator, approvers and admins are the auditors, and only Slack's admins are admins.
 */
const roles = z.object({
  viewers: members.default([]),
  /** They may request actions. */
  operators: members.default([]),
  auditors: members.default([]),
  /** In addition to the admins of the Slack workspace. */
  admins: members.default([]),
});

/** What a workspace has settled about who may do what: a column of its settings, and part of a change. */
export const accessSettings = z.object({ roles: roles.prefault({}) });
export type AccessSettings = z.infer<typeof accessSettings>;
export type Roles = AccessSettings['roles'];

/** The same as an empty column. */
export const defaultAccess: AccessSettings = accessSettings.parse({});

/** Whether the id is that of a user group. */
export const isUserGroup = (id: string): boolean => id.startsWith('S');

type Named = { approvers: string[]; access: AccessSettings };

/** Everyone who has a role: ids of people and user groups. */
export function namedIds({ approvers, access }: Named): string[] {
  return [...approvers, ...Object.values(access.roles).flat()];
}

/** The user groups that a role names, each once. */
export function namedGroups(named: Named): string[] {
  return [...new Set(namedIds(named).filter(isUserGroup))];
}

/** Whether anything but the approvers decides who may do what, or a group does. */
export function hasNamedRoles(named: Named): boolean {
  const { roles } = named.access;
  return Object.values(roles).some((ids) => ids.length > 0) || namedGroups(named).length > 0;
}
