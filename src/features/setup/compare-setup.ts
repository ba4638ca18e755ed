import type { Roles } from '../../workspace/access.ts';
import {
  changedProtection,
  changedRules,
  type RuleChange,
  type RulePart,
} from '../../workspace/compare-rules.ts';
import { type LimitName, limitNames, limits } from '../../workspace/limits.ts';
import type { ActionRule } from '../../workspace/rules.ts';
import type { FormChange, SetupChange, SetupValues } from '../../workspace/setup-change.ts';

export type Setting =
  | 'region'
  | 'organizationalUnit'
  | 'token'
  | 'tokenOwner'
  | 'approvers'
  | keyof Roles
  | 'rules'
  | 'protectedUsers'
  | 'approvalsChannel'
  | LimitName
  | 'connectionName'
  | 'connectionAdded'
  | 'connectionRemoved'
  | 'defaultConnection';

/** What saving a change requires. A change that is approved is announced, too. */
type Requirement = 'nothing' | 'announcement' | 'approval';

type SettingChange = { setting: Setting; requires: Requirement };

const settingOf = {
  add: 'connectionAdded',
  remove: 'connectionRemoved',
  make_default: 'defaultConnection',
} as const;

/** The settings that a change makes different, those of each form in a configuration file included. */
export function compareSetup({ configuration, ...change }: SetupChange): SettingChange[] {
  return [change, ...(configuration?.changes ?? [])].flatMap(compareForm);
}

/**
 * What could weaken a guard requires approval, and so does a token that isn't confirmed to see the same
 * tenant: with it, requests are void, and watches and digests show other data. A first approvals channel
 * weakens nothing, but people would look for requests where they were posted so far. Which connections there
 * are decides on which service people's requests run, so that always requires approval.
 */
function compareForm(change: FormChange): SettingChange[] {
  const { target, before, after, tokenOwnerBefore, tokenOwnerAfter } = change;
  if (target && target.kind !== 'edit') {
    return [{ setting: settingOf[target.kind], requires: 'approval' }];
  }
  const isOther = (key: keyof SetupValues) => before[key] !== after[key];
  const weakensRules = weakenedByRules(change);
  const compared: [Setting, boolean, Requirement][] = [
    ['connectionName', target?.nameBefore !== undefined, 'approval'],
    ['region', isOther('regionId'), 'approval'],
    [
      'organizationalUnit',
      isOther('organizationalUnitId'),
      isFirstUnit(change) ? 'nothing' : 'approval',
    ],
    ['token', change.hasNewToken, change.isSameTenant ? 'nothing' : 'approval'],
    // Protecting one more user also stops the waiting requests about that user.
    ['tokenOwner', tokenOwnerBefore !== tokenOwnerAfter, 'approval'],
    ['approvers', !hasSamePeople(before.approvers, after.approvers), 'approval'],
    ...roleSettings.map((role): [Setting, boolean, Requirement] => [
      role,
      !hasSamePeople(before.access.roles[role], after.access.roles[role]),
      'approval',
    ]),
    ['rules', weakensRules !== undefined, weakensRules ? 'approval' : 'announcement'],
    // As with the token owner: one person alone must not stop the requests about somebody.
    ['protectedUsers', changesProtection(change), 'approval'],
    [
      'approvalsChannel',
      isOther('approvalsChannelId'),
      before.approvalsChannelId === undefined ? 'announcement' : 'approval',
    ],
    ...limitNames.map((name): [Setting, boolean, Requirement] => {
      const { weakens, isAnnounced } = limits[name];
      const isWeaker = weakens(before[name], after[name]);
      return [
        name,
        isOther(name),
        isWeaker ? 'approval' : isAnnounced ? 'announcement' : 'nothing',
      ];
    }),
  ];
  return compared.flatMap(([setting, isDifferent, requires]) =>
    isDifferent ? [{ setting, requires }] : [],
  );
}

/** Anybody with more rights is a risk, and anybody with fewer may be missed. */
const roleSettings = ['viewers', 'operators', 'auditors', 'admins'] as const;

/** Settings of `/belay access` alone: the setup form has the approvers, too. */
const accessSettings: Setting[] = [...roleSettings, 'rules', 'protectedUsers'];

/** Whether the change is about nothing but roles, rules and protected users. */
export function isAboutAccess(change: SetupChange): boolean {
  if (change.configuration) return false;
  return compareSetup(change).every(({ setting }) => accessSettings.includes(setting));
}

/** Whether the change could weaken a guard, and so requires a second person. */
export function requiresApproval(change: SetupChange): boolean {
  return compareSetup(change).some(({ requires }) => requires === 'approval');
}

/** Whether the change is announced to approvers and admins. */
export function isAnnounced(change: SetupChange): boolean {
  return compareSetup(change).some(({ requires }) => requires !== 'nothing');
}

/** The unit may be chosen once right after the first setup, whose form can't list the units yet. */
function isFirstUnit({ isUnitChoice, basedOn, before }: FormChange): boolean {
  return isUnitChoice === true && basedOn === 1 && before.organizationalUnitId === undefined;
}

function hasSamePeople(before: string[], after: string[]): boolean {
  return before.length === after.length && after.every((id) => before.includes(id));
}

/**
 * Whether each part of a rule could weaken a decision by becoming what it is after. Other requesters
 * and other approvals always could: they decide who takes part, and end the requests that wait.
 */
const weakens: Record<RulePart, (before: ActionRule, after: ActionRule) => boolean> = {
  requesters: () => true,
  approvals: () => true,
  hoursToDecide: (before, after) => after.hoursToDecide > before.hoursToDecide,
  hoursToRun: (before, after) => after.hoursToRun > before.hoursToRun,
  remindAfterMinutes: () => false,
  breakGlass: (before, after) => after.breakGlass.some((id) => !before.breakGlass.includes(id)),
};

/** Undefined if the rules are the same. */
function weakenedByRules({ before, after }: FormChange): boolean | undefined {
  const changes = changedRules(before.access, after.access);
  const isWeaker = ({ before, after, parts }: RuleChange) =>
    parts.some((part) => weakens[part](before, after));
  return changes.length === 0 ? undefined : changes.some(isWeaker);
}

function changesProtection({ before, after }: FormChange): boolean {
  const [one, other] = [before.access.protectedUsers, after.access.protectedUsers];
  return changedProtection(one, other) !== undefined;
}
