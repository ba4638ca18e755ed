import { findShortfall } from '../../../requests/rules/find-shortfall.ts';
import { canPostInChannel } from '../../../slack/api/channel.ts';
import { findMember, readPerson } from '../../../slack/api/person.ts';
import type { SlackClient } from '../../../slack/api/slack-client.ts';
import { listGroupMembers, listUserGroups } from '../../../slack/api/user-groups.ts';
import type { Members } from '../../../workspace/access/access.ts';
import { isUserGroup } from '../../../workspace/members.ts';
import { ruledActions } from '../../../workspace/rules.ts';
import { formatShortfall, problemWithMembers } from '../../setup/index.ts';
import type { ConfigurationContext } from '../configuration-context.ts';
import { isSame } from '../file/canonical.ts';
import type { Workspace } from '../file/configuration.ts';
import type { WorkspacePlan } from './plan-workspace.ts';

/**
 * Checks the people, user groups and channels that a plan names anew, and whether anybody could have
 * its new roles and meet its new rules. `notes` say what wasn't checked.
 */
export async function checkSlack(
  plan: WorkspacePlan,
  { openSlack }: ConfigurationContext,
): Promise<{ problems: string[]; notes: string[] }> {
  const { teamId, stored, wanted } = plan;
  const known = new Set(idsOf(stored.workspace));
  const ids = [...new Set(idsOf(wanted))].filter((id) => !known.has(id));
  if (ids.length === 0 && !hasNewNames(plan)) return { problems: [], notes: [] };
  const { slack, skipped } = await openSlack(teamId);
  if (!slack) return { problems: [], notes: skipped };
  const groups = ids.some(isUserGroup) ? await readGroups(slack) : new Set<string>();
  const problems: string[] = [];
  const notes = groups ? [] : ["Slack didn't return the user groups, so they weren't checked."];
  for (const id of ids) {
    const problem = isUserGroup(id)
      ? groups && !groups.has(id) && "isn't an active user group of this workspace"
      : await problemWith(id, slack);
    if (problem) problems.push(`${id} ${problem}`);
  }
  // Don't report roles and rules again whose people or groups don't exist.
  if (problems.length === 0) problems.push(...(await checkNamed(plan, slack)));
  return { problems, notes };
}

async function problemWith(id: string, slack: SlackClient): Promise<string | undefined> {
  // Belay can post only in its own direct messages, and nobody can name others.
  if (id.startsWith('D')) return undefined;
  if (/^[CG]/.test(id)) {
    const isUsable = await canPostInChannel(slack, id);
    return isUsable ? undefined : "is a channel that Belay can't post in: invite Belay to it";
  }
  const member = await findMember(readPerson(slack, id));
  return member ? undefined : "isn't an active full member of this workspace";
}

/** Undefined if Slack doesn't return them, as without the scope. */
async function readGroups(slack: SlackClient): Promise<Set<string> | undefined> {
  try {
    return new Set((await listUserGroups(slack)).map(({ id }) => id));
  } catch {
    return undefined;
  }
}

/** Every person, user group and channel that a workspace names. */
function idsOf(workspace: Workspace): string[] {
  const { settings, roles, rules } = workspace;
  return [
    ...(settings.approvalsChannel ? [settings.approvalsChannel] : []),
    ...[...settings.approvers, ...Object.values(roles).flat()],
    ...Object.values(rules).flatMap(({ requesters, approvals, breakGlass }) => [
      ...[...requesters, ...breakGlass, ...approvals.flatMap(({ from }) => from)],
    ]),
    ...workspace.items.flatMap(({ value, mentions }) => [value.channel, value.owner, ...mentions]),
  ];
}

type Compared = Pick<WorkspacePlan, 'stored' | 'wanted'>;

/** Whether a plan changes people or groups, so that `checkNamed` has to look them up. */
function hasNewNames({ stored: { workspace }, wanted }: Compared): boolean {
  const named = ({ settings, roles, rules }: Workspace) => [settings.approvers, roles, rules];
  return !isSame(named(workspace), named(wanted));
}

/**
 * The roles and rules of a plan that nobody could have or meet, as their forms find them: one line
 * each. Those that stay as they are aren't looked at.
 */
async function checkNamed(
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
