import { hasSameApprovals } from '../../workspace/compare-rules.ts';
import {
  type ActionRule,
  type ActionRules,
  defaultRule,
  type RequiredApproval,
  ruledActionOf,
  ruleOf,
} from '../../workspace/rules.ts';
import type { WorkspaceSettings } from '../../workspace/settings/document.ts';
import type { Action } from '../action.ts';
import type { Approval } from '../approval.ts';
import { countOf, neededApprovals, peopleIn } from './match-approvals.ts';

/** What a request that is made now would need. */
export type Requirements = {
  rule: ActionRule | undefined;
  needed: RequiredApproval[];
  requiredApprovals: number;
  /** Who decides: ids of people and user groups; empty for the admins of the workspace. */
  approvers: string[];
};

/** `least`: how many people setup requires, regardless of the rule. */
export function requirementsOf(
  name: string,
  { access, approvers }: Pick<WorkspaceSettings, 'access' | 'approvers'>,
  least: number,
): Requirements {
  const rule = findRule(access.rules, name);
  const requiredApprovals = Math.max(least, countOf(rule?.approvals ?? []));
  const needed = neededApprovals({ rule, requiredApprovals }, approvers);
  return { rule, needed, requiredApprovals, approvers: peopleIn(needed) };
}

/** Undefined for an action without a rule. */
export function findRule(rules: ActionRules, name: string): ActionRule | undefined {
  const ruled = ruledActionOf(name);
  return ruled && rules[ruled];
}

/** Who decides a request: as `Requirements`. */
export function decidersOf(
  approval: Approval,
  action: Action,
  { approvers }: Pick<WorkspaceSettings, 'approvers'>,
): string[] {
  return peopleIn(neededApprovals(approval, action.approvers(approvers)));
}

/** The outcome of a request that is void because others have to approve such requests now. */
export const ruleChangedText =
  'Voided because the rule for this action changed. Submit the request again.';

/** Whether other people have to approve the action now than when it was requested. */
export function hasRuleChanged(
  { rule, action }: Pick<Approval, 'rule' | 'action'>,
  { access }: Pick<WorkspaceSettings, 'access'>,
): boolean {
  return !hasSameApprovals(rule ?? defaultRule, ruleOf(access.rules, action));
}
