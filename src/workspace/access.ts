import { z } from 'zod';
import { isUserGroup, members } from './members.ts';
import { actionRules, idsInRules, protectedUsers } from './rules.ts';

/**
 * Who has which role besides the approvers that setup names. Without members, every full member is a
 * viewer and an operator, approvers and admins are the auditors, and only Slack's admins are admins.
 */
export const roles = z.object({
  viewers: members.default([]),
  /** They may request actions. */
  operators: members.default([]),
  auditors: members.default([]),
  /** In addition to the admins of the Slack workspace. */
  admins: members.default([]),
});

/** What a workspace has settled about who may do what: a column of its settings, and part of a change. */
export const accessSettings = z.object({
  roles: roles.prefault({}),
  rules: actionRules.default({}),
  protectedUsers: protectedUsers.prefault({}),
});
export type AccessSettings = z.infer<typeof accessSettings>;
export type Roles = AccessSettings['roles'];

/** The same as an empty column. */
export const defaultAccess: AccessSettings = accessSettings.parse({});

type Named = { approvers: string[]; access: AccessSettings };

/** Everyone who has a role or is named by a rule: ids of people and user groups. */
export function namedIds({ approvers, access }: Named): string[] {
  return [...approvers, ...Object.values(access.roles).flat(), ...idsInRules(access.rules)];
}

/** The user groups that a role or a rule names, each once. */
export function namedGroups(named: Named): string[] {
  return [...new Set(namedIds(named).filter(isUserGroup))];
}

/** Whether anything but the approvers decides who may do what, or a group does. */
export function hasNamedRoles(named: Named): boolean {
  const { roles, rules } = named.access;
  const isNamed = [...Object.values(roles), idsInRules(rules)].some((ids) => ids.length > 0);
  return isNamed || namedGroups(named).length > 0;
}
