/**
 * Every action, step, guard and reason that audit entries name by an id, with the words that an
 * entry is rendered with. Ids are stored for good and enter the hash chain: never change one. Code
 * refers to them by their names here, and what is missing here does not compile there. The id of a
 * reason is its name in snake case, so that one reason has one spelling.
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

type Reason = { id: string; text: string };
type IdOf<Reasons extends Record<string, Reason>> = Reasons[keyof Reasons]['id'];

/** Checks of an action's subject, by what they rule out. A request stores the ids as labels of its checks. */
export const guards = {
  // requests, for every action
  requesterIsSubject: {
    id: 'requester_is_subject',
    text: 'the user is, or may be, the requester',
  },
  // features/users, for what disables or deletes a user
  lastAdministrator: {
    id: 'last_administrator',
    text: 'the user is, or may be, the last enabled administrator',
  },
  tokenOwner: {
    id: 'token_owner',
    text: "the user owns Belay's API token",
  },
  protectedUser: {
    id: 'protected_user',
    text: 'the user is, or may be, protected in this workspace',
  },
} as const satisfies Record<string, Reason>;
export type GuardId = IdOf<typeof guards>;

/** Why a request, a decision or a change was refused: `facts.reason` of `refused`. */
export const refusals = {
  ...guards,
  // slack/interactions: the membership of somebody who is not a full member of the workspace
  guest: { id: 'guest', text: "guest accounts can't use Belay" },
  external: { id: 'external', text: "accounts from other workspaces can't use Belay" },
  deactivated: { id: 'deactivated', text: "deactivated accounts can't use Belay" },
  bot: { id: 'bot', text: "bots can't use Belay" },
  notViewer: { id: 'not_viewer', text: "this person doesn't have access to Belay" },
  // requests: request-approval.ts
  connectionReplaced: {
    id: 'connection_replaced',
    text: 'an admin had just changed the connection',
  },
  noAudience: { id: 'no_audience', text: 'nobody else would have seen the request' },
  noApprover: { id: 'no_approver', text: 'nobody else could approve the request' },
  tooFewApprovers: {
    id: 'too_few_approvers',
    text: 'too few people could approve the request',
  },
  ruleUnmet: { id: 'rule_unmet', text: "the rule for this action couldn't be met" },
  notOperator: {
    id: 'not_operator',
    text: 'only operators and people named in the rule for this action can request it',
  },
  // requests/break-glass
  breakGlassNotAllowed: {
    id: 'break_glass_not_allowed',
    text: "the rule for this action doesn't let this person run it without approval",
  },
  checkNotMade: { id: 'check_not_made', text: "a safety check couldn't be made" },
  notAnnounced: {
    id: 'not_announced',
    text: 'no approver other than the requester could be notified',
  },
  notStarted: { id: 'not_started', text: 'the run became invalid before it started' },
  alreadyReviewed: { id: 'already_reviewed', text: 'somebody had already reviewed the run' },
  notEnded: { id: 'not_ended', text: 'the run had not ended' },
  notPosted: { id: 'not_posted', text: "Belay can't post in the channel" },
  // requests: decide-approval.ts and cancel-scheduled.ts
  requestNotFound: { id: 'request_not_found', text: 'the request no longer exists' },
  ownRequest: { id: 'own_request', text: "requesters can't decide their own requests" },
  notRequester: { id: 'not_requester', text: 'only the requester can withdraw the request' },
  requesterNotAllowed: {
    id: 'requester_not_allowed',
    text: 'the requester is no longer allowed to make this request',
  },
  notApprover: { id: 'not_approver', text: 'only approvers can decide requests' },
  approverIsSubject: {
    id: 'approver_is_subject',
    text: "people can't decide requests that are, or may be, about themselves",
  },
  sameMailbox: {
    id: 'same_mailbox',
    text: "this account and the requester's account share a mailbox",
  },
  alreadyApproved: {
    id: 'already_approved',
    text: 'this person had already approved the request',
  },
  ruleChanged: {
    id: 'rule_changed',
    text: 'the rule for this action had changed after the request',
  },
  groupsAlreadyApproved: {
    id: 'groups_already_approved',
    text: "enough of this person's groups had already approved the request",
  },
  standInExcluded: {
    id: 'stand_in_excluded',
    text: "they stand in for an approver who can't take part in this decision",
  },
  addressMissing: { id: 'address_missing', text: "Slack didn't provide an email address" },
  limitReached: {
    id: 'limit_reached',
    text: 'the limit of users per hour was reached',
  },
  alreadyDue: { id: 'already_due', text: 'the deletion was already due' },
  notAbortable: { id: 'not_abortable', text: "the service can't abort this task" },
  requestClosed: { id: 'request_closed', text: 'the request was already closed' },
  // features/alerts: clearing and noting
  // features/watches
  notAdmin: { id: 'not_admin', text: 'only admins can add, change or end mutes without an end' },
  notApproverOrAdmin: {
    id: 'not_approver_or_admin',
    text: 'only approvers and admins can do this',
  },
} as const satisfies Record<string, Reason>;
export type RefusalReason = IdOf<typeof refusals>;

/** Why Belay stopped, waited or gave up: `facts.reason` of every event but `refused`. */
export const stopReasons = {
  // requests: run-step.ts
  requesterNotMember: {
    id: 'requester_not_member',
    text: 'the requester is no longer a full member of the workspace',
  },
  requesterNotAllowed: {
    id: 'requester_not_allowed',
    text: 'the requester is no longer allowed to make this request',
  },
  approverNotAllowed: {
    id: 'approver_not_allowed',
    text: 'the approver is no longer allowed to approve this request',
  },
  connectionMismatch: {
    id: 'connection_mismatch',
    text: 'the connection was changed after the request',
  },
  samePerson: {
    id: 'same_person',
    text: 'the requester and the approver are, or may be, the same person',
  },
  tooFewApprovals: {
    id: 'too_few_approvals',
    text: 'too few different people had approved the request',
  },
  guardRefused: { id: 'guard_refused', text: 'a safety check failed' },
  subjectChanged: { id: 'subject_changed', text: 'the subject changed after the request' },
  subjectNotFound: { id: 'subject_not_found', text: 'the subject of the request no longer exists' },
  /** Also of a step that counts as completed: the change was there without Belay. */
  notNeeded: { id: 'not_needed', text: 'no change was needed' },
  notShown: {
    id: 'not_shown',
    text: "the request didn't show exactly what would have been sent",
  },
  // requests/store
  connectionReplaced: { id: 'connection_replaced', text: 'the connection was changed' },
  setupChanged: { id: 'setup_changed', text: 'the settings were changed after the request' },
  /** The service accepted a change and shows something else. */
  notVerified: { id: 'not_verified', text: "the service doesn't show the approved change" },
  ruleChanged: { id: 'rule_changed', text: 'the rule for this action was changed' },
  superseded: { id: 'superseded', text: 'a newer request about the same policy replaced it' },
  notPosted: { id: 'not_posted', text: "Belay couldn't post the request" },
  notAnnounced: {
    id: 'not_announced',
    text: 'no approver other than the requester could be notified',
  },
  interrupted: { id: 'interrupted', text: 'Belay was interrupted' },
  overdue: { id: 'overdue', text: "Belay wasn't running when the deletion was due" },
  notStartedInTime: {
    id: 'not_started_in_time',
    text: "Belay couldn't start the change within the time that the rule allows",
  },
  limitReached: { id: 'limit_reached', text: 'the limit of users per hour was reached' },
  breakGlassNotAllowed: {
    id: 'break_glass_not_allowed',
    text: 'the requester is no longer allowed to run this without approval',
  },
  /** Of a step that waits, or has waited for too long. */
  busy: { id: 'busy', text: 'another change was in progress' },
  gaveUp: { id: 'gave_up', text: 'Belay stopped checking' },
  uninstalled: { id: 'uninstalled', text: 'Belay was uninstalled' },
} as const satisfies Record<string, Reason>;
export type StopReason = IdOf<typeof stopReasons>;

/** What was refused: `facts.attempted` of `refused`. */
export const refusedAttempts = {
  request: 'request',
  approve: 'approved',
  deny: 'denied',
  withdraw: 'withdrawn',
  cancel: 'cancel',
  breakGlass: 'break_glass',
  review: 'reviewed',
  /** Any command, button or form, by somebody who is not a full member. */
  use: 'use',
} as const;
export type RefusedAttempt = (typeof refusedAttempts)[keyof typeof refusedAttempts];
