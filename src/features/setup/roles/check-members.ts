import type { Shortfall } from '../../../requests/rules/find-shortfall.ts';
import { findMember, readPerson } from '../../../slack/api/person.ts';
import type { SlackClient } from '../../../slack/api/slack-client.ts';
import type { Access } from '../../../workspace/access/access.ts';
import { isUserGroup } from '../../../workspace/members.ts';
import type { NamedPeople } from '../../../workspace/permissions.ts';
import { namedGroups } from '../../../workspace/settings/document.ts';
import { maxApprovers } from '../check-setup.ts';
import { groupsFieldId } from '../views/member-inputs.ts';

/** Slack allows about 20 calls a minute that list the members of a group. */
export const maxNamedGroups = 15;
/** How many people of a large group are looked up to find an active one. */
const maxLookedUp = 20;

export type MemberChecks = { slack: SlackClient; listMembers: Access['listMembers'] };

/**
 * Errors by field id: people who could never act, and what nobody could do. `after`: the settings with
 * what the form says; `first`: the field to mark if they name too many groups; `hasGroups`: whether the
 * form has menus of groups.
 */
export async function checkNamed(
  fields: [id: string, ids: string[]][],
  { after, first, hasGroups }: { after: NamedPeople; first: string; hasGroups: boolean },
  checks: MemberChecks,
): Promise<Record<string, string>> {
  if (namedGroups(after).length > maxNamedGroups) {
    return { [first]: `Choose at most ${maxNamedGroups} user groups across all roles and rules.` };
  }
  const errors: Record<string, string> = {};
  for (const [id, ids] of fields) {
    const problem = await problemWithMembers(ids, checks);
    if (problem) errors[memberField(id, ids, hasGroups)] = problem;
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

/** The field to mark: the menu of groups, if the form has one and only groups are named. */
export function memberField(id: string, ids: readonly string[], hasGroups: boolean): string {
  return hasGroups && ids.length > 0 && ids.every(isUserGroup) ? groupsFieldId(id) : id;
}

/** Why these people and groups can't be named: somebody could never act, or nobody could. */
export async function problemWithMembers(
  ids: readonly string[],
  { slack, listMembers }: MemberChecks,
): Promise<string | undefined> {
  const people = ids.filter((id) => !isUserGroup(id));
  if (people.length > maxApprovers) return `Choose at most ${maxApprovers} people.`;
  const found = await Promise.all(people.map((id) => findMember(readPerson(slack, id))));
  if (found.includes(undefined)) {
    return "Choose only active full members of this workspace. Guests, bots and people from other workspaces can't have a role.";
  }
  if (people.length > 0 || ids.length === 0) return undefined;
  const members = await listMembers(slack, ids);
  if (members.unread.length > 0) return groupsUnread;
  for (const id of members.people.slice(0, maxLookedUp)) {
    if (await findMember(readPerson(slack, id))) return undefined;
  }
  return members.people.length > maxLookedUp
    ? undefined
    : 'Nobody in these groups is an active full member of this workspace.';
}

const groupsUnread =
  "Slack didn't return the members of one of these groups. Try again in a minute.";
