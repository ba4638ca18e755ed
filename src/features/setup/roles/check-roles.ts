import { isRecipientGone } from '../../../slack/api/error-codes.ts';
import { readPerson } from '../../../slack/api/person.ts';
import type { SlackClient } from '../../../slack/api/slack-client.ts';
import type { Access } from '../../access/index.ts';
import { isUserGroup } from '../../workspaces/index.ts';
import { maxApprovers } from '../check-setup.ts';
import {
  groupsBlockId,
  maxNamedGroups,
  type NamedByRole,
  type RoleName,
  roleNames,
} from './roles-form.ts';

/** Of a large group, so many are looked up to find one who has the role. */
const maxLookedUp = 20;

/** Errors by block id: people who could never have a role, and roles that nobody would have. */
export async function checkRoles(
  named: NamedByRole,
  before: NamedByRole,
  { slack, listMembers }: { slack: SlackClient; listMembers: Access['listMembers'] },
): Promise<Record<string, string>> {
  const errors: Record<string, string> = {};
  const groups = new Set(roleNames.flatMap((role) => named[role].filter(isUserGroup)));
  if (groups.size > maxNamedGroups) {
    return { viewers: `Choose at most ${maxNamedGroups} user groups across all roles.` };
  }
  for (const role of roleNames) {
    const hasChanged = named[role].join() !== before[role].join();
    const problem = hasChanged ? await problemWith(named[role], { slack, listMembers }) : undefined;
    if (problem) errors[blockOf(role, named)] = problem;
  }
  return errors;
}

/** Of the menu of groups if only groups have the role. */
function blockOf(role: RoleName, named: NamedByRole): string {
  const hasOnlyGroups = named[role].length > 0 && named[role].every(isUserGroup);
  return hasOnlyGroups ? groupsBlockId(role) : role;
}

async function problemWith(
  ids: string[],
  { slack, listMembers }: { slack: SlackClient; listMembers: Access['listMembers'] },
): Promise<string | undefined> {
  const people = ids.filter((id) => !isUserGroup(id));
  if (people.length > maxApprovers) return `Choose at most ${maxApprovers} people.`;
  const areMembers = await Promise.all(people.map((id) => isMember(slack, id)));
  if (areMembers.includes(false)) {
    return "Choose only active full members of this workspace. Guests, bots and people from other workspaces can't have a role.";
  }
  if (people.length > 0 || ids.length === 0) return undefined;
  const members = await listMembers(slack, ids);
  if (members.unread.length > 0) {
    return "Slack didn't return the members of one of these groups. Try again in a minute.";
  }
  for (const id of members.people.slice(0, maxLookedUp)) {
    if (await isMember(slack, id)) return undefined;
  }
  return members.people.length > maxLookedUp
    ? undefined
    : 'Nobody in these groups is an active full member of this workspace.';
}

async function isMember(slack: SlackClient, slackUserId: string): Promise<boolean> {
  try {
    return (await readPerson(slack, slackUserId)).membership === 'member';
  } catch (error) {
    if (isRecipientGone(error)) return false;
    throw error;
  }
}
