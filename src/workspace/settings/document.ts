import { z } from 'zod';
import { isUserGroup, members } from '../members.ts';
import { actionRules, idsInRules, protectedUsers } from '../rules.ts';

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

/** The numbers among the settings. */
export const limits = {
  deleteGraceMinutes: { min: 0, max: 24 * 60, default: 30 },
  usersPerHour: { min: 1, max: 1000, default: 10 },
  weakeningApprovals: { min: 1, max: 3, default: 2 },
  restoreApprovals: { min: 1, max: 3, default: 2 },
  administratorApprovals: { min: 1, max: 3, default: 2 },
  maxAlertsCleared: { min: 1, max: 1000, default: 100 },
};

const within = ({ min, max, default: usual }: { min: number; max: number; default: number }) =>
  z.int().min(min).max(max).default(usual);

/**
 * The settings of a workspace as they are stored, written in the configuration file and compared. What is
 * missing has its default.
 */
export const workspaceSettings = z.object({
  /** Slack ids of people and user groups. If empty, the workspace's admins are the approvers. */
  approvers: z.array(z.string()).default([]),
  /** Without one, requests are posted where they are made. */
  approvalsChannel: z.string().optional(),
  deleteGraceMinutes: within(limits.deleteGraceMinutes),
  usersPerHour: within(limits.usersPerHour),
  weakeningApprovals: within(limits.weakeningApprovals),
  restoreApprovals: within(limits.restoreApprovals),
  administratorApprovals: within(limits.administratorApprovals),
  maxAlertsCleared: within(limits.maxAlertsCleared),
  access: accessSettings.prefault({}),
});
export type WorkspaceSettings = z.infer<typeof workspaceSettings>;

export const defaultSettings: WorkspaceSettings = workspaceSettings.parse({});

type Named = Pick<WorkspaceSettings, 'approvers' | 'access'>;

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
