import { limits } from './document.ts';
import { channel, defineSetting, people, wholeNumber } from './setting.ts';

/** Anybody with more rights is a risk, and anybody with fewer may be missed. */
const always = () => 'approval' as const;

/**
 * The settings of a workspace, each with all that Belay does with it, in the order in which changes show
 * them. `/belay access` changes those without `write`, and rules and protected users, which are compared
 * in `compare-rules.ts`. A longer grace period or a lower limit weakens nothing, but can hold up what
 * others have approved.
 */
export const definedSettings = {
  approvers: defineSetting('approvers', {
    audited: 'approvers',
    kind: people({
      label: 'Approvers',
      hint: 'Choose who approves requests. Leave empty to use the admins. Nobody can approve their own request. To choose user groups, run /belay access.',
      nobody: 'the admins',
    }),
    read: (all) => all.approvers,
    write: (all, approvers) => ({ ...all, approvers }),
    requires: always,
  }),
  viewers: defineSetting('viewers', {
    audited: 'viewers',
    kind: people({ label: 'Viewers', nobody: 'every full member of this workspace' }),
    read: ({ access }) => access.roles.viewers,
    requires: always,
  }),
  operators: defineSetting('operators', {
    audited: 'operators',
    kind: people({ label: 'Operators', nobody: 'every viewer' }),
    read: ({ access }) => access.roles.operators,
    requires: always,
  }),
  auditors: defineSetting('auditors', {
    audited: 'auditors',
    kind: people({ label: 'Auditors', nobody: 'approvers and admins', besides: 'the admins' }),
    read: ({ access }) => access.roles.auditors,
    requires: always,
  }),
  admins: defineSetting('admins', {
    audited: 'admins',
    kind: people({
      label: 'Admins',
      nobody: 'the admins of this Slack workspace',
      besides: 'the admins of this Slack workspace',
    }),
    read: ({ access }) => access.roles.admins,
    requires: always,
  }),
  approvalsChannel: defineSetting('approvalsChannel', {
    audited: 'approvals channel',
    kind: channel({
      label: 'Approvals channel',
      hint: 'Channel where requests are posted. Leave empty to post each request where it is made.',
      none: 'none (posted where the request is made)',
    }),
    read: (all) => all.approvalsChannel,
    write: (all, approvalsChannel) => ({ ...all, approvalsChannel }),
    // A first one weakens nothing, but people would look for requests where they were posted so far.
    requires: (before) => (before === undefined ? 'announcement' : 'approval'),
  }),
  deleteGraceMinutes: defineSetting('deleteGraceMinutes', {
    audited: 'deletion grace period',
    kind: wholeNumber({
      ...limits.deleteGraceMinutes,
      label: 'Deletion grace period',
      hint: 'Time between disabling and deleting a user, during which the deletion can be canceled. Enter 0 to delete immediately.',
      unit: { one: 'minute', many: 'minutes', none: 'none' },
    }),
    read: (all) => all.deleteGraceMinutes,
    write: (all, deleteGraceMinutes) => ({ ...all, deleteGraceMinutes }),
    requires: (before, after) => (after < before ? 'approval' : 'announcement'),
  }),
  usersPerHour: defineSetting('usersPerHour', {
    audited: 'limit of users per hour',
    kind: wholeNumber({
      ...limits.usersPerHour,
      label: 'Users per hour',
      hint: 'Maximum number of users who can be disabled or deleted within an hour, including those invited again.',
    }),
    read: (all) => all.usersPerHour,
    write: (all, usersPerHour) => ({ ...all, usersPerHour }),
    requires: (before, after) => (after > before ? 'approval' : 'announcement'),
  }),
  weakeningApprovals: defineSetting('weakeningApprovals', {
    audited: 'approvers needed to weaken a policy',
    kind: wholeNumber({
      ...limits.weakeningApprovals,
      label: 'Approvers needed to weaken a policy',
      hint: "Number of people, 1 to 3, who must approve a change that weakens a backup policy. The requester doesn't count.",
    }),
    read: (all) => all.weakeningApprovals,
    write: (all, weakeningApprovals) => ({ ...all, weakeningApprovals }),
    requires: (before, after) => (after < before ? 'approval' : 'nothing'),
  }),
  restoreApprovals: defineSetting('restoreApprovals', {
    audited: 'approvers needed to restore to another account, region or key',
    kind: wholeNumber({
      ...limits.restoreApprovals,
      label: 'Approvers needed to restore elsewhere',
      hint: "Number of people, 1 to 3, who must approve a restore to another account, region or encryption key. The requester doesn't count.",
    }),
    read: (all) => all.restoreApprovals,
    write: (all, restoreApprovals) => ({ ...all, restoreApprovals }),
    requires: (before, after) => (after < before ? 'approval' : 'nothing'),
  }),
  administratorApprovals: defineSetting('administratorApprovals', {
    audited: 'approvers needed to invite an administrator',
    kind: wholeNumber({
      ...limits.administratorApprovals,
      label: 'Approvers needed to invite an administrator',
      hint: "Number of people, 1 to 3, who must approve an invitation with an administrator's role, or one that Belay doesn't know. The requester doesn't count.",
    }),
    read: (all) => all.administratorApprovals,
    write: (all, administratorApprovals) => ({ ...all, administratorApprovals }),
    requires: (before, after) => (after < before ? 'approval' : 'nothing'),
  }),
  maxAlertsCleared: defineSetting('maxAlertsCleared', {
    audited: 'limit of alerts cleared at once',
    kind: wholeNumber({
      ...limits.maxAlertsCleared,
      label: 'Alerts cleared at once',
      hint: 'Maximum number of alerts, 1 to 1,000, that an approver or admin can clear at once.',
    }),
    read: (all) => all.maxAlertsCleared,
    write: (all, maxAlertsCleared) => ({ ...all, maxAlertsCleared }),
    requires: (before, after) => (after > before ? 'approval' : 'nothing'),
  }),
};

export type SettingName = keyof typeof definedSettings;

export function isDefined(name: string): name is SettingName {
  return Object.hasOwn(definedSettings, name);
}

export const allSettings = Object.values(definedSettings);
