import { canPostInChannel } from '../../../slack/api/channel.ts';
import { findMember, readPerson } from '../../../slack/api/person.ts';
import type { SlackClient } from '../../../slack/api/slack-client.ts';
import { listUserGroups } from '../../../slack/api/user-groups.ts';
import { isUserGroup } from '../../workspaces/index.ts';
import { listItems, type Workspace } from '../file/configuration.ts';
import { checkNamed, hasNewNames } from './check-named.ts';
import type { WorkspacePlan } from './plan-workspace.ts';

/** The client of a workspace, or why Slack can't be asked: sentences. */
export type OpenSlack = (
  teamId: string,
) => Promise<{ slack: SlackClient | undefined; skipped: string[] }>;

/**
 * Checks the people, user groups and channels that a plan names anew, and whether anybody could have
 * its new roles and meet its new rules. `notes` say what wasn't checked.
 */
export async function checkSlack(
  plan: WorkspacePlan,
  openSlack: OpenSlack,
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
    ...listItems(workspace).flatMap(({ value }) => [value.channel, value.owner]),
  ];
}
