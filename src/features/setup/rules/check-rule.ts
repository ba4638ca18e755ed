import type { Access } from '../../access/index.ts';
import { findShortfall, type Shortfall } from '../../approvals/index.ts';
import type { NamedPeople } from '../../workspaces/index.ts';
import {
  groupsUnread,
  type MemberChecks,
  memberBlock,
  problemWithMembers,
  tooManyGroups,
} from '../roles/check-members.ts';
import { ruleBlocks } from '../views/ids.ts';
import type { RuleForm } from './rule-form.ts';

/**
 * Errors by block id: people who could never act, what nobody could do, and approvals that could never
 * be met. `after`: the settings with this rule.
 */
export async function checkRule(
  { rule, approvalBlocks }: Extract<RuleForm, { rule: unknown }>,
  after: NamedPeople,
  checks: MemberChecks & { readPerson: Access['readPerson'] },
): Promise<Record<string, string>> {
  const tooMany = tooManyGroups(after);
  if (tooMany) return { [ruleBlocks.requesters]: tooMany };
  const { requesters, approvals, breakGlass } = rule;
  const errors: Record<string, string> = {};
  const blockOf = (index: number) => approvalBlocks[index] ?? ruleBlocks.requesters;
  const fields: [string, string[]][] = [
    [ruleBlocks.requesters, requesters],
    ...approvals.map(({ from }, index): [string, string[]] => [blockOf(index), from]),
    [ruleBlocks.breakGlass, breakGlass],
  ];
  for (const [blockId, ids] of fields) {
    const problem = await problemWithMembers(ids, checks);
    if (problem) errors[memberBlock(blockId, ids)] = problem;
  }
  if (Object.keys(errors).length > 0) return errors;
  const shortfall = await findShortfall({
    needed: approvals,
    listMembers: (ids) => checks.listMembers(checks.slack, ids),
    readPerson: (slackUserId) => checks.readPerson(checks.slack, slackUserId),
  });
  for (const one of shortfall) {
    errors[memberBlock(blockOf(one.index), one.from)] = formatShortfall(one);
  }
  return errors;
}

/** For the admin who names these people. */
export function formatShortfall({ count, able, isUnread }: Shortfall): string {
  if (isUnread) return groupsUnread;
  const remedy = 'Choose more people, or require fewer approvals.';
  if (able.length >= count) {
    return `Other approvals of this rule need the same people, and each person counts once. ${remedy}`;
  }
  const who = able.length === 0 ? 'None' : `Only ${able.length}`;
  return `${who} of these people can approve, so this rule could never be met. ${remedy}`;
}
