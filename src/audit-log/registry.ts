/**
 * Every action, step, guard and reason that audit entries name by an id, with the words that an
 * entry is rendered with. Ids are stored for good and enter the hash chain: never change one. What is
 * missing here does not compile where it is used.
 */

/** As in "disable", "disabled", "disabling". */
export type VerbForms = { plain: string; past: string; progressive: string };

export type AuditedAction = {
  verb: VerbForms;
  subject: 'user' | 'alert' | 'setup' | 'policy' | 'volume' | 'drill';
  /** Runs only after a second person's approval: the owning feature describes it with `defineAction`. */
  needsApproval: boolean;
  /** What follows the subject, from the entry's personal text. */
  formatObject?: (personal: Record<string, string>) => string | undefined;
};

const disable: VerbForms = { plain: 'disable', past: 'disabled', progressive: 'disabling' };
const enable: VerbForms = { plain: 're-enable', past: 're-enabled', progressive: 're-enabling' };
const rename: VerbForms = { plain: 'rename', past: 'renamed', progressive: 'renaming' };
const invite: VerbForms = { plain: 'invite', past: 'invited', progressive: 'inviting' };
const remove: VerbForms = { plain: 'delete', past: 'deleted', progressive: 'deleting' };
const cancel: VerbForms = {
  plain: 'cancel the deletion of',
  past: 'canceled the deletion of',
  progressive: 'canceling the deletion of',
};
const clear: VerbForms = { plain: 'clear', past: 'cleared', progressive: 'clearing' };
const change: VerbForms = { plain: 'change', past: 'changed', progressive: 'changing' };
const create: VerbForms = { plain: 'create', past: 'created', progressive: 'creating' };
const revert: VerbForms = {
  plain: 'revert a change to',
  past: 'reverted a change to',
  progressive: 'reverting a change to',
};
const restore: VerbForms = { plain: 'restore', past: 'restored', progressive: 'restoring' };
const add: VerbForms = { plain: 'add', past: 'added', progressive: 'adding' };
const drill: VerbForms = {
  plain: 'test the restore of',
  past: 'tested the restore of',
  progressive: 'testing the restore of',
};
const acknowledge: VerbForms = {
  plain: 'acknowledge',
  past: 'acknowledged',
  progressive: 'acknowledging',
};
const mute: VerbForms = { plain: 'mute', past: 'muted', progressive: 'muting' };
const snooze: VerbForms = { plain: 'snooze', past: 'snoozed', progressive: 'snoozing' };
const note: VerbForms = {
  plain: 'change the note on',
  past: 'changed the note on',
  progressive: 'changing the note on',
};

/** By the name that the column `action` stores. */
export const auditedActions = {
  // features/users
  'users.disable': { verb: disable, subject: 'user', needsApproval: true },
  'users.enable': { verb: enable, subject: 'user', needsApproval: true },
  'users.rename': {
    verb: rename,
    subject: 'user',
    needsApproval: true,
    formatObject: ({ newName }: Record<string, string>) => newName && `to ${newName}`,
  },
  'users.delete': { verb: remove, subject: 'user', needsApproval: true },
  'users.invite': { verb: invite, subject: 'user', needsApproval: true },
  // features/setup
  'setup.change': { verb: change, subject: 'setup', needsApproval: true },
  // features/policies
  'policies.create': { verb: create, subject: 'policy', needsApproval: true },
  'policies.replace': { verb: change, subject: 'policy', needsApproval: true },
  'policies.revert': { verb: revert, subject: 'policy', needsApproval: true },
  // features/restores
  'volumes.restore': { verb: restore, subject: 'volume', needsApproval: true },
  // features/drills
  'drills.add': { verb: add, subject: 'drill', needsApproval: true },
  'drills.run': { verb: drill, subject: 'volume', needsApproval: false },
  // features/alerts
  'alerts.clear': { verb: clear, subject: 'alert', needsApproval: false },
  'alerts.own': { verb: acknowledge, subject: 'alert', needsApproval: false },
  'alerts.mute': { verb: mute, subject: 'alert', needsApproval: false },
  'alerts.snooze': { verb: snooze, subject: 'alert', needsApproval: false },
  'alerts.note': { verb: note, subject: 'alert', needsApproval: false },
} as const satisfies Record<string, AuditedAction>;

type Actions = typeof auditedActions;
export type ActionName = keyof Actions;
export type ApprovableActionName = {
  [Name in ActionName]: Actions[Name]['needsApproval'] extends true ? Name : never;
}[ActionName];

/** The action that saves a change of the setup; saving another one voids its waiting requests. */
export const setupChangeAction = 'setup.change' satisfies ApprovableActionName;

/** Steps of approvable actions, by `facts.step`. */
export const auditedSteps = {
  disable,
  enable,
  rename,
  delete: remove,
  invite,
  cancel,
  save: change,
  create,
  replace: change,
  revert,
  restore,
  add,
} as const;
export type StepName = keyof typeof auditedSteps;

/** Checks of an action's subject, by what they rule out. A request stores the ids as labels of its checks. */
export const guards = {
  // requests, for every action
  requester_is_subject: 'the user is, or may be, the requester',
  // features/users, for what disables or deletes a user
  last_administrator: 'the user is, or may be, the last enabled administrator',
  token_owner: "the user owns Belay's API token",
  protected_user: 'the user is, or may be, protected in this workspace',
} as const satisfies Record<string, string>;
export type GuardId = keyof typeof guards;

/** Why a request, a decision or a change was refused: `facts.reason` of `refused`. */
export const refusals = {
  ...guards,
  // slack/interactions: the membership of somebody who is not a full member of the workspace
  guest: "guest accounts can't use Belay",
  external: "accounts from other workspaces can't use Belay",
  deactivated: "deactivated accounts can't use Belay",
  bot: "bots can't use Belay",
  not_viewer: "this person doesn't have access to Belay",
  right_missing: "this person doesn't have the right to do this",
  // requests: request-approval.ts
  connection_replaced: 'an admin had just changed the connection',
  no_audience: 'nobody else would have seen the request',
  no_approver: 'nobody else could approve the request',
  too_few_approvers: 'too few people could approve the request',
  rule_unmet: "the rule for this action couldn't be met",
  not_operator: 'only operators and people named in the rule for this action can request it',
  // requests/break-glass
  break_glass_not_allowed:
    "the rule for this action doesn't let this person run it without approval",
  check_not_made: "a safety check couldn't be made",
  not_announced: 'no approver other than the requester could be notified',
  not_started: 'the run became invalid before it started',
  already_reviewed: 'somebody had already reviewed the run',
  not_ended: 'the run had not ended',
  not_posted: "Belay can't post in the channel",
  // requests: decide-approval.ts and cancel-change.ts
  request_not_found: 'the request no longer exists',
  own_request: "requesters can't decide their own requests",
  not_requester: 'only the requester can withdraw the request',
  requester_not_allowed: 'the requester is no longer allowed to make this request',
  not_approver: 'only approvers can decide requests',
  approver_is_subject: "people can't decide requests that are, or may be, about themselves",
  same_mailbox: "this account and the requester's account share a mailbox",
  already_approved: 'this person had already approved the request',
  rule_changed: 'the rule for this action had changed after the request',
  groups_already_approved: "enough of this person's groups had already approved the request",
  stand_in_excluded: "they stand in for an approver who can't take part in this decision",
  address_missing: "Slack didn't provide an email address",
  limit_reached: 'the limit of users per hour was reached',
  already_due: 'the deletion was already due',
  not_abortable: "the service can't abort this task",
  request_closed: 'the request was already closed',
  // features/alerts: clearing and noting
  // features/watches
  not_admin: 'only admins can add, change or end mutes without an end',
  not_approver_or_admin: 'only approvers and admins can do this',
} as const satisfies Record<string, string>;
export type RefusalReason = keyof typeof refusals;

/** Why Belay stopped, waited or gave up: `facts.reason` of every event but `refused`. */
export const stopReasons = {
  // requests: run-step.ts
  requester_not_member: 'the requester is no longer a full member of the workspace',
  requester_not_allowed: 'the requester is no longer allowed to make this request',
  approver_not_allowed: 'the approver is no longer allowed to approve this request',
  connection_mismatch: 'the connection was changed after the request',
  same_person: 'the requester and the approver are, or may be, the same person',
  too_few_approvals: 'too few different people had approved the request',
  guard_refused: 'a safety check failed',
  subject_changed: 'the subject changed after the request',
  subject_not_found: 'the subject of the request no longer exists',
  /** Also of a step that counts as completed: the change was there without Belay. */
  not_needed: 'no change was needed',
  not_shown: "the request didn't show exactly what would have been sent",
  // requests/store
  connection_replaced: 'the connection was changed',
  setup_changed: 'the settings were changed after the request',
  /** The service accepted a change and shows something else. */
  not_verified: "the service doesn't show the approved change",
  rule_changed: 'the rule for this action was changed',
  superseded: 'a newer request about the same policy replaced it',
  not_posted: "Belay couldn't post the request",
  not_announced: 'no approver other than the requester could be notified',
  interrupted: 'Belay was interrupted',
  overdue: "Belay wasn't running when the step was due",
  not_started_in_time: "Belay couldn't start the change within the time that the rule allows",
  limit_reached: 'the limit of users per hour was reached',
  break_glass_not_allowed: 'the requester is no longer allowed to run this without approval',
  /** Of a step that waits, or has waited for too long. */
  busy: 'another change was in progress',
  gave_up: 'Belay stopped checking',
  uninstalled: 'Belay was uninstalled',
} as const satisfies Record<string, string>;
export type StopReason = keyof typeof stopReasons;

/** What was refused: `facts.attempted` of `refused`. */
export type RefusedAttempt =
  | 'request'
  | 'approved'
  | 'denied'
  | 'withdrawn'
  | 'cancel'
  | 'break_glass'
  | 'reviewed'
  /** Any command, button or form, by an outsider; the one in `facts.used`, by a member without the right. */
  | 'use';
