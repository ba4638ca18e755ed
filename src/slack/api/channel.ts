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
