import { isUnreachableChannel } from './message-failure.ts';
import type { SlackClient } from './slack-client.ts';

/** True when Belay is a member of the channel and it is not archived (`conversations.info`). */
export async function mayPostIn(slack: SlackClient, channelId: string): Promise<boolean> {
  try {
    const { channel } = await slack.conversations.info({ channel: channelId });
    return channel?.is_member === true && channel.is_archived !== true;
  } catch (error) {
    if (isUnreachableChannel(error)) return false;
    throw error;
  }
}

/** A conversation with Belay that nobody else sees. Slack's ids of direct messages begin with D. */
export function isDirectChannel(channelId: string): boolean {
  return channelId.startsWith('D');
}

/** True for the person's own conversation with Belay, and not for one with somebody else. */
export async function isDirectWithBelay(
  slack: SlackClient,
  { channelId, slackUserId }: { channelId: string; slackUserId: string },
): Promise<boolean> {
  const { channel } = await slack.conversations.open({ users: slackUserId });
  return channel?.id === channelId;
}
