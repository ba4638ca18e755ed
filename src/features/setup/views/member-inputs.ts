import { context, input, type KnownBlock } from '../../../slack/ui/blocks.ts';
import { code } from '../../../slack/ui/mrkdwn.ts';
import {
  multiSelectElement,
  peopleElement,
  type ViewValues,
} from '../../../slack/ui/view-values.ts';
import { isUserGroup } from '../../workspaces/index.ts';
import { type GroupChoice, maxListedGroups } from '../roles/list-choices.ts';

type MemberField = { blockId: string; label: string; hint: string; ids: readonly string[] };

export const groupsBlockId = (blockId: string): string => `${blockId}-groups`;

/** Whether a form has menus of groups. A menu without a choice isn't possible in Slack. */
export const hasGroupMenus = ({ groups = [] }: GroupChoice): boolean => groups.length > 0;

/** A menu of people and, if Slack returned the groups, one of groups. */
export function memberInputs(
  { blockId, label, hint, ids }: MemberField,
  { groups = [] }: GroupChoice,
): KnownBlock[] {
  const people = input({
    blockId,
    label,
    hint,
    isOptional: true,
    element: peopleElement(ids.filter((id) => !isUserGroup(id))),
  });
  if (groups.length === 0) return [people];
  const choices = groups.map(({ id, name, handle }) => ({
    value: id,
    label: handle && handle !== name ? `${name} (@${handle})` : name,
  }));
  const menu = input({
    blockId: groupsBlockId(blockId),
    label: `${label}: user groups`,
    hint: 'Applies to current and future members of these groups.',
    element: multiSelectElement(choices, ids),
    isOptional: true,
  });
  return [people, menu];
}

/** Reads both menus. Without a menu of groups, the groups of `before` stay. */
export function readMembers(
  values: ViewValues,
  blockId: string,
  { hasGroups, before }: { hasGroups: boolean; before: readonly string[] },
): string[] {
  const groups = hasGroups ? values.options(groupsBlockId(blockId)) : before;
  return [...new Set([...values.users(blockId), ...groups.filter(isUserGroup)])];
}

/** Why some groups, or all of them, can't be chosen. */
export function groupNotice(choice: GroupChoice): KnownBlock[] {
  if (choice.groups) {
    return choice.isCut
      ? [context(`Showing the first ${maxListedGroups} user groups by name.`)]
      : [];
  }
  return [
    context(
      choice.isScopeMissing
        ? `User groups can't be changed: Belay is missing the Slack scope ${code('usergroups:read')}. Ask your Belay administrator to update the app from ${code('manifest.yml')} and install it again.`
        : "User groups can't be changed right now, because Slack didn't return them. Groups that are already chosen stay.",
    ),
  ];
}
