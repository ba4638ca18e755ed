import { z } from 'zod';
import { context, type KnownBlock } from '../../../slack/ui/blocks.ts';
import { multiSelectField, peopleField, readChoices } from '../../../slack/ui/form-fields.ts';
import { code } from '../../../slack/ui/mrkdwn.ts';
import type { ViewValues } from '../../../slack/ui/view-values.ts';
import { isUserGroup } from '../../../workspace/members.ts';
import { type GroupChoice, maxListedGroups } from '../roles/list-choices.ts';
import { shownSetup } from '../setup-form.ts';

/** `hasGroups`: whether the form has menus of groups. Without them, groups stay as they are. */
export const shownMembers = shownSetup.extend({ hasGroups: z.boolean() });

type MemberField = { id: string; label: string; hint: string; ids: readonly string[] };

export const groupsFieldId = (id: string): string => `${id}-groups`;

/** Whether a form has menus of groups. A menu without a choice isn't possible in Slack. */
export const hasGroupMenus = ({ groups = [] }: GroupChoice): boolean => groups.length > 0;

/** A menu of people and, if Slack returned the groups, one of groups. */
export function memberInputs(
  { id, label, hint, ids }: MemberField,
  { groups = [] }: GroupChoice,
): KnownBlock[] {
  const people = peopleField({ label, hint, isOptional: true })(id).block(
    ids.filter((one) => !isUserGroup(one)),
  );
  if (groups.length === 0) return [people];
  const menu = multiSelectField({
    label: `${label}: user groups`,
    hint: 'Applies to current and future members of these groups.',
    choices: groups.map((group) => ({ value: group.id, label: labelOf(group) })),
    isOptional: true,
  });
  return [people, menu(groupsFieldId(id)).block(ids)];
}

/** "Storage (@storage-oncall)" */
export function labelOf({ name, handle }: { name: string; handle?: string | undefined }): string {
  return handle && handle !== name ? `${name} (@${handle})` : name;
}

/** Reads both menus. Without a menu of groups, the groups of `before` stay. */
export function readMembers(
  values: ViewValues,
  id: string,
  { hasGroups, before }: { hasGroups: boolean; before: readonly string[] },
): string[] {
  const groups = hasGroups ? readChoices(values(groupsFieldId(id))) : before;
  return [...new Set([...(values(id)?.selected_users ?? []), ...groups.filter(isUserGroup)])];
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
