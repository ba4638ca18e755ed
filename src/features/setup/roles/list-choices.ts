import type { Logger } from '../../../logger.ts';
import { slackErrorCode } from '../../../slack/api/error-codes.ts';
import type { SlackClient } from '../../../slack/api/slack-client.ts';
import { listUserGroups, type UserGroup } from '../../../slack/api/user-groups.ts';
import { isUserGroup } from '../../../workspace/members.ts';

/** Slack's maximum for a menu. */
export const maxListedGroups = 100;

/** The groups to choose from, or why there are none. */
export type GroupChoice =
  | { groups: UserGroup[]; isCut: boolean }
  | { groups: undefined; isScopeMissing: boolean };

/** Lists the groups that are named first, so that they can be removed, even if they are gone. */
export async function listChoices(
  named: readonly string[],
  slack: SlackClient,
  log: Logger,
): Promise<GroupChoice> {
  try {
    const inUse = await listUserGroups(slack);
    const gone = [...new Set(named)]
      .filter((id) => isUserGroup(id) && !inUse.some((group) => group.id === id))
      .map((id) => ({ id, name: `Disabled or deleted group ${id}`, handle: '' }));
    const isNamed = ({ id }: UserGroup) => named.includes(id);
    const all = [...gone, ...inUse.filter(isNamed), ...inUse.filter((one) => !isNamed(one))];
    return { groups: all.slice(0, maxListedGroups), isCut: all.length > maxListedGroups };
  } catch (error) {
    log.warn({ err: error }, 'the user groups of a workspace could not be listed');
    return { groups: undefined, isScopeMissing: slackErrorCode(error) === 'missing_scope' };
  }
}
