import { slackErrorCode } from './error-codes.ts';
import type { SlackClient } from './slack-client.ts';

/** A user group, without its members. */
export type UserGroup = { id: string; name: string; handle: string };

/**
 * The Slack user ids of a group's members: nobody if the group was disabled or is gone. Slack allows
 * about 20 calls a minute. https://docs.slack.dev/reference/methods/usergroups.users.list
 */
export async function listGroupMembers(slack: SlackClient, groupId: string): Promise<string[]> {
  try {
    const { users } = await slack.usergroups.users.list({ usergroup: groupId });
    if (!users) throw new Error('Slack answered usergroups.users.list without users');
    return users;
  } catch (error) {
    if (slackErrorCode(error) === 'no_such_subteam') return [];
    throw error;
  }
}

/** The groups in use, by name. https://docs.slack.dev/reference/methods/usergroups.list */
export async function listUserGroups(slack: SlackClient): Promise<UserGroup[]> {
  const { usergroups = [] } = await slack.usergroups.list();
  return usergroups
    .flatMap(({ id, name, handle, date_delete: deletedAt }) =>
      id && !deletedAt ? [{ id, name: name || handle || id, handle: handle ?? '' }] : [],
    )
    .toSorted((one, other) => one.name.localeCompare(other.name));
}
