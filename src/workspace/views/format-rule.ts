import { mention } from '../../slack/ui/mrkdwn.ts';
import { joinWords, plural } from '../../slack/ui/words.ts';
import type { RulePart } from '../compare-rules.ts';
import type { ActionRule, RequiredApproval, RuledAction } from '../rules.ts';

/** What can have a rule, as a label. */
export const ruledActionNames: Record<RuledAction, string> = {
  'users.disable': 'Disable a user',
  'users.enable': 'Re-enable a user',
  'users.rename': 'Rename a user',
  'users.delete': 'Delete a user',
  'users.invite': 'Invite a user',
  'policies.create': 'Create a policy',
  'policies.replace': 'Change a policy',
  'policies.revert': 'Revert a policy change',
  'volumes.restore': 'Restore a volume',
};

export const rulePartLabels: Record<RulePart, string> = {
  requesters: 'Requesters',
  approvals: 'Approvals',
  hoursToDecide: 'Time to decide',
  hoursToRun: 'Time to run',
  remindAfterMinutes: 'First reminder',
  breakGlass: 'Break-glass',
};

/** Each part of a rule, or what applies without it: mrkdwn. */
export const formatRulePart: Record<RulePart, (rule: ActionRule) => string> = {
  requesters: ({ requesters }) => formatMembers(requesters) || 'every operator',
  approvals: ({ approvals }) => formatRequiredApprovals(approvals) || 'the approvers',
  hoursToDecide: ({ hoursToDecide }) => plural(hoursToDecide, 'hour'),
  hoursToRun: ({ hoursToRun }) => plural(hoursToRun, 'hour'),
  remindAfterMinutes: ({ remindAfterMinutes: minutes }) =>
    minutes === undefined ? 'none' : `after ${plural(minutes, 'minute')}`,
  breakGlass: ({ breakGlass }) => formatMembers(breakGlass) || 'nobody',
};

/** "1 of @security *and* 2 of @ana, @ben or @ops"; empty if nobody is named. */
function formatRequiredApprovals(approvals: readonly RequiredApproval[]): string {
  return approvals
    .map(({ from, count }) => `${count} of ${formatMembers(from, 'or')}`)
    .join(' *and* ');
}

/** People and user groups: "@ana, @ben and @ops". */
function formatMembers(ids: readonly string[], conjunction: 'and' | 'or' = 'and'): string {
  return joinWords(ids.map(mention), conjunction);
}
