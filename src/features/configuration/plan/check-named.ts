import { readPerson } from '../../../slack/api/person.ts';
import type { SlackClient } from '../../../slack/api/slack-client.ts';
import { listGroupMembers } from '../../../slack/api/user-groups.ts';
import type { Members } from '../../access/index.ts';
import { findShortfall } from '../../approvals/index.ts';
import { formatShortfall, problemWithMembers } from '../../setup/index.ts';
import { isUserGroup, ruledActions } from '../../workspaces/index.ts';
import { isSame } from '../file/canonical.ts';
import type { Workspace } from '../file/configuration.ts';
import type { WorkspacePlan } from './plan-workspace.ts';

type Compared = Pick<WorkspacePlan, 'stored' | 'wanted'>;

/** Whether a plan changes people or groups, so that `checkNamed` has to look them up. */
export function hasNewNames({ stored: { workspace }, wanted }: Compared): boolean {
  const named = ({ settings, roles, rules }: Workspace) => [settings.approvers, roles, rules];
  return !isSame(named(workspace), named(wanted));
}

/**
 * The roles and rules of a plan that nobody could have or meet, as their forms find them: one line
 * each. Those that stay as they are aren't looked at.
 */
export async function checkNamed(
  { stored: { workspace }, wanted }: Compared,
  slack: SlackClient,
): Promise<string[]> {
  const listMembers = createMemberList(slack);
  const before = new Map(namesIn(workspace));
  const problems: string[] = [];
  for (const [path, ids] of namesIn(wanted)) {
    // People were already checked one by one.
    if (!ids.every(isUserGroup) || isSame(before.get(path), ids)) continue;
    const problem = await problemWithMembers(ids, {
      slack,
      listMembers: (_, groups) => listMembers(groups),
    });
    if (problem) problems.push(`${path}: ${withoutPeriod(problem)}`);
  }
  for (const action of ruledActions) {
    const approvals = wanted.rules[action]?.approvals ?? [];
    if (isSame(workspace.rules[action]?.approvals ?? [], approvals)) continue;
    const shortfall = await findShortfall({
      needed: approvals,
      listMembers,
      readPerson: (slackUserId) => readPerson(slack, slackUserId),
    });
    for (const one of shortfall) {
      const path = `rules.${action}.approvals.${one.index}`;
      problems.push(`${path}: ${withoutPeriod(formatShortfall(one))}`);
    }
  }
  return problems;
}

/** Who has which role or is named by a rule apart from its approvals, by path. */
function namesIn({ settings, roles, rules }: Workspace): [string, string[]][] {
  return [
    ['settings.approvers', settings.approvers],
    ...Object.entries(roles).map(([role, ids]): [string, string[]] => [`roles.${role}`, ids]),
    ...Object.entries(rules).flatMap(([action, rule]): [string, string[]][] => [
      [`rules.${action}.requesters`, rule.requesters],
      [`rules.${action}.breakGlass`, rule.breakGlass],
    ]),
  ];
}

/** Slack allows about 20 calls a minute, so each group is read once. */
function createMemberList(slack: SlackClient): (ids: readonly string[]) => Promise<Members> {
  const known = new Map<string, Promise<string[] | undefined>>();
  const read = (id: string) => {
    const reading = known.get(id) ?? listGroupMembers(slack, id).catch(() => undefined);
    known.set(id, reading);
    return reading;
  };
  return async (ids) => {
    const groups = ids.filter(isUserGroup);
    const found = await Promise.all(groups.map(read));
    const people = ids.filter((id) => !isUserGroup(id));
    return {
      people: [...new Set([...people, ...found.flatMap((one) => one ?? [])])],
      unread: groups.filter((_, index) => found[index] === undefined),
    };
  };
}

/** A problem is also part of a sentence. */
function withoutPeriod(text: string): string {
  return text.replace(/\.$/, '');
}
