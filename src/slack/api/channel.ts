import { isUnreachableChannel } from './error-codes.ts';
import type { Person } from './person.ts';
import type { SlackClient } from './slack-client.ts';

/** True when Belay is a member of the channel and it is not archived (`conversations.info`). */
export async function canPostInChannel(slack: SlackClient, channelId: string): Promise<boolean> {
  try {
    const { channel } = await slack.conversations.info({ channel: channelId });
    return channel?.is_member === true && channel.is_archived !== true;
  } catch (error) {
    if (isUnreachableChannel(error)) return false;
    throw error;
  }
}

/** Whether this is a direct message: Slack's ids of those begin with D. */
export function isDirectChannel(channelId: string): boolean {
  return channelId.startsWith('D');
}

/** Whether this is a person's id, which Slack accepts as the channel of a direct message to them. */
export function isUserId(channelId: string): boolean {
  return /^[UW]/.test(channelId);
}

/** How messages in this conversation name it. */
export function thisPlace(channelId: string): 'this channel' | 'this conversation' {
  return isDirectChannel(channelId) ? 'this conversation' : 'this channel';
}

/** Whether Belay can post where a person used a command. Of direct messages, only in its own. */
export async function canPost({
  slack,
  channelId,
  person,
}: {
  slack: SlackClient;
  channelId: string;
  person: Person;
}): Promise<boolean> {
  if (!isDirectChannel(channelId)) return canPostInChannel(slack, channelId);
  const { channel } = await slack.conversations.open({ users: person.slackUserId });
  return channel?.id === channelId;
}

/** Slack recommends at most 200 for a page. */
const membersPageSize = 200;
const maxMemberPages = 15;

/**
 * The people in a channel, 3,000 at most, as Slack user ids.
 * https://docs.slack.dev/reference/methods/conversations.members
 */
export async function listMembers(slack: SlackClient, channelId: string): Promise<string[]> {
  const members: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxMemberPages; page += 1) {
    const answer = await slack.conversations.members({
      channel: channelId,
      limit: membersPageSize,
      ...(cursor ? { cursor } : {}),
    });
    members.push(...(answer.members ?? []));
    cursor = answer.response_metadata?.next_cursor;
    if (!cursor) break;
  }
  return members;
}
