import {
  type ActionRule,
  changedProtection,
  changedRules,
  type FormChange,
  type RuleChange,
  type RulePart,
} from '../../workspaces/index.ts';

/**
 * Whether each part of a rule could weaken a decision by becoming what it is after. Other requesters
 * and other approvals always could: they decide who takes part, and end the requests that wait. For
 * what isn't a number or a list of people, anything but a first value could.
 */
const weakens: Record<RulePart, (before: ActionRule, after: ActionRule) => boolean> = {
  requesters: () => true,
  approvals: () => true,
  hoursToDecide: (before, after) => after.hoursToDecide > before.hoursToDecide,
  hoursToRun: (before, after) => after.hoursToRun > before.hoursToRun,
  remindAfterMinutes: () => false,
  reasonFormat: (before) => before.reasonFormat !== undefined,
  breakGlass: (before, after) => after.breakGlass.some((id) => !before.breakGlass.includes(id)),
};

/** Undefined if the rules are the same. */
export function weakenedByRules({ before, after }: FormChange): boolean | undefined {
  const changes = changedRules(before.access, after.access);
  const isWeaker = ({ before, after, parts }: RuleChange) =>
    parts.some((part) => weakens[part](before, after));
  return changes.length === 0 ? undefined : changes.some(isWeaker);
}

export function changesProtection({ before, after }: FormChange): boolean {
  const [one, other] = [before.access.protectedUsers, after.access.protectedUsers];
  return changedProtection(one, other) !== undefined;
}
