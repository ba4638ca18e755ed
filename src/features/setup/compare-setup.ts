import {
  changedProtection,
  changedRules,
  type RuleChange,
  type RulePart,
} from '../../workspace/compare-rules.ts';
import type { ActionRule } from '../../workspace/rules.ts';
import type { Requirement } from '../../workspace/settings/setting.ts';
import { allSettings, type SettingName } from '../../workspace/settings/settings.ts';
import type { FormChange, SetupChange } from '../../workspace/setup-change.ts';

/** What isn't one value of the settings. */
export type OtherSetting =
  | 'region'
  | 'organizationalUnit'
  | 'token'
  | 'tokenOwner'
  | 'rules'
  | 'protectedUsers'
  | 'connectionName'
  | 'connectionAdded'
  | 'connectionRemoved'
  | 'defaultConnection';

type SettingChange = { setting: SettingName | OtherSetting; requires: Requirement };

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
 * tenant: with it, requests are void, and watches and digests show other data. Which connections there are
 * decides on which service people's requests run, so that always requires approval.
 */
function compareForm(change: FormChange): SettingChange[] {
  const { target, before, after, tokenOwnerBefore, tokenOwnerAfter } = change;
  if (target && target.kind !== 'edit') {
    return [{ setting: settingOf[target.kind], requires: 'approval' }];
  }
  const approval = (isDifferent: boolean) => (isDifferent ? 'approval' : undefined);
  const isNewToken = change.hasNewToken && !change.isSameTenant;
  const compared: [SettingChange['setting'], Requirement | undefined][] = [
    ['connectionName', approval(target?.nameBefore !== undefined)],
    ['region', approval(before.regionId !== after.regionId)],
    ['organizationalUnit', approval(before.organizationalUnitId !== after.organizationalUnitId)],
    ['token', approval(isNewToken) ?? (change.hasNewToken ? 'nothing' : undefined)],
    // Protecting one more user also stops the waiting requests about that user.
    ['tokenOwner', approval(tokenOwnerBefore !== tokenOwnerAfter)],
    ...allSettings.map(({ name, compare }): (typeof compared)[number] => [
      name,
      compare(before, after),
    ]),
    ['rules', compareRules(change)],
    // As with the token owner: one person alone must not stop the requests about somebody.
    ['protectedUsers', approval(changesProtection(change))],
  ];
  return compared.flatMap(([setting, requires]) => (requires ? [{ setting, requires }] : []));
}

/** Settings of `/belay access` alone: the approvers have a form of their own, too. */
const accessSettings: SettingChange['setting'][] = [
  ...allSettings.filter(({ field }) => field === undefined).map(({ name }) => name),
  'rules',
  'protectedUsers',
];

/** Whether the change is about nothing but roles, rules and protected users. */
export function isAboutAccess(change: SetupChange): boolean {
  if (change.configuration) return false;
  return compareSetup(change).every(isAccessSetting);
}

/** Whether the change includes roles, rules or protected users, which even the admin who connected Belay can't change alone. */
export function changesAccess(change: SetupChange): boolean {
  return compareSetup(change).some(isAccessSetting);
}

const isAccessSetting = ({ setting }: SettingChange): boolean => accessSettings.includes(setting);

/** Whether the change could weaken a guard, and so requires a second person. */
export function requiresApproval(change: SetupChange): boolean {
  return compareSetup(change).some(({ requires }) => requires === 'approval');
}

/** Whether the change is announced to approvers and admins. */
export function isAnnounced(change: SetupChange): boolean {
  return compareSetup(change).some(({ requires }) => requires !== 'nothing');
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
function compareRules({ before, after }: FormChange): Requirement | undefined {
  const changes = changedRules(before.access, after.access);
  const isWeaker = ({ before, after, parts }: RuleChange) =>
    parts.some((part) => weakens[part](before, after));
  if (changes.length === 0) return undefined;
  return changes.some(isWeaker) ? 'approval' : 'announcement';
}

function changesProtection({ before, after }: FormChange): boolean {
  const [one, other] = [before.access.protectedUsers, after.access.protectedUsers];
  return changedProtection(one, other) !== undefined;
}
