import { isDeepStrictEqual } from 'node:util';
import {
  type ActionRule,
  actionsUnderRule,
  defaultRule,
  type ProtectedUsers,
  type RequiredApproval,
  type RuledAction,
  ruledActions,
  ruleOf,
} from './rules.ts';
import type { AccessSettings } from './settings/document.ts';

/** What a rule says, in the order in which it is shown. */
export const ruleParts = [
  'requesters',
  'approvals',
  'hoursToDecide',
  'hoursToRun',
  'remindAfterMinutes',
  'breakGlass',
] as const satisfies (keyof ActionRule)[];
export type RulePart = (typeof ruleParts)[number];

/** The rule of an action before and after, and the parts in which they differ. */
export type RuleChange = {
  action: RuledAction;
  before: ActionRule;
  after: ActionRule;
  parts: RulePart[];
};

type WithRules = Pick<AccessSettings, 'rules'>;

/** Whether every part of the rule has its default value. */
export function isDefaultRule(rule: ActionRule): boolean {
  return ruleParts.every((part) => isSame(rule, defaultRule, part));
}

/** The rules that differ. An action without its own rule has the default. */
export function changedRules(before: WithRules, after: WithRules): RuleChange[] {
  return ruledActions
    .map((action) => {
      const [one, other] = [ruleOf(before.rules, action), ruleOf(after.rules, action)];
      const parts = ruleParts.filter((part) => !isSame(one, other, part));
      return { action, before: one, after: other, parts };
    })
    .filter(({ parts }) => parts.length > 0);
}

/** The names of all actions that others have to approve from now on. */
export function changedApprovals(before: WithRules, after: WithRules): string[] {
  const changes = changedRules(before, after).filter(({ parts }) => parts.includes('approvals'));
  return changes.flatMap(({ action }) => actionsUnderRule(action));
}

/** Whether the same people have to approve, in any order a rule names them. */
export function hasSameApprovals(one: ActionRule, other: ActionRule): boolean {
  return isSame(one, other, 'approvals');
}

function isSame(one: ActionRule, other: ActionRule, part: RulePart): boolean {
  return isDeepStrictEqual(comparable(one, part), comparable(other, part));
}

/** Ignores the order of people, groups and approvals. */
function comparable(rule: ActionRule, part: RulePart) {
  switch (part) {
    case 'approvals':
      return rule.approvals.map(approvalKey).sort();
    case 'requesters':
    case 'breakGlass':
      return [...new Set(rule[part])].sort();
    default:
      return rule[part];
  }
}

/** "1 of S1 U2": the same for the same people, and as the audit log stores it. */
export function approvalKey({ from, count }: RequiredApproval): string {
  return `${count} of ${[...new Set(from)].sort().join(' ')}`;
}

export const protectedKinds = ['addresses', 'domains', 'roles'] as const;
type ProtectedKind = (typeof protectedKinds)[number];

/** What a change of the protected users adds and removes; undefined if it does neither. */
type ProtectedChange = Record<ProtectedKind, { added: string[]; removed: string[] }>;

export function changedProtection(
  before: ProtectedUsers,
  after: ProtectedUsers,
): ProtectedChange | undefined {
  const changeOf = (kind: ProtectedKind) => ({
    added: after[kind].filter((text) => !before[kind].includes(text)),
    removed: before[kind].filter((text) => !after[kind].includes(text)),
  });
  const change = {
    addresses: changeOf('addresses'),
    domains: changeOf('domains'),
    roles: changeOf('roles'),
  };
  const isChanged = Object.values(change).some(
    ({ added, removed }) => added.length + removed.length > 0,
  );
  return isChanged ? change : undefined;
}
