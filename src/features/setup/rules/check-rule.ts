import { findShortfall, type Shortfall } from '../../../requests/rules/find-shortfall.ts';
import type { Access } from '../../../workspace/access/access.ts';
import type { NamedPeople } from '../../../workspace/permissions.ts';
import {
  groupsUnread,
  type MemberChecks,
  memberField,
  problemWithMembers,
  tooManyGroups,
} from '../roles/check-members.ts';
import type { RuleForm } from '../views/rule-form.ts';

/**
 * Errors by field id: people who could never act, what nobody could do, and approvals that could never
 * be met. `after`: the settings with this rule.
 */
export async function checkRule(
  { rule, approvalIds }: Extract<RuleForm, { rule: unknown }>,
  after: NamedPeople,
  checks: MemberChecks & { readPerson: Access['readPerson'] },
): Promise<Record<string, string>> {
  const tooMany = tooManyGroups(after);
  if (tooMany) return { requesters: tooMany };
  const { requesters, approvals, breakGlass } = rule;
  const errors: Record<string, string> = {};
  const fieldOf = (index: number) => approvalIds[index] ?? 'requesters';
  const fields: [string, string[]][] = [
    ['requesters', requesters],
    ...approvals.map(({ from }, index): [string, string[]] => [fieldOf(index), from]),
    ['breakGlass', breakGlass],
  ];
  for (const [id, ids] of fields) {
    const problem = await problemWithMembers(ids, checks);
    if (problem) errors[memberField(id, ids)] = problem;
  }
  if (Object.keys(errors).length > 0) return errors;
  const shortfall = await findShortfall({
    needed: approvals,
    listMembers: (ids) => checks.listMembers(checks.slack, ids),
    readPerson: (slackUserId) => checks.readPerson(checks.slack, slackUserId),
  });
  for (const one of shortfall) {
    errors[memberField(fieldOf(one.index), one.from)] = formatShortfall(one);
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
