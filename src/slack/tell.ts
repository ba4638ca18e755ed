import type { WebClient } from '@slack/web-api';
import type { Message } from './blocks.ts';
import { isUnreachableChannel } from './web-api-failure.ts';

/** A private line to one person: in the conversation where they acted, else as a direct message. */
export async function tell(
  slack: WebClient,
  to: { slackUserId: string; channelId?: string | undefined },
  message: Message,
): Promise<void> {
  if (to.channelId) {
    try {
      await slack.chat.postEphemeral({ channel: to.channelId, user: to.slackUserId, ...message });
      return;
    } catch (error) {
      if (!isUnreachableChannel(error)) throw error;
    }
  }
  await sendDirectMessage(slack, to.slackUserId, message);
}

export async function sendDirectMessage(
  slack: WebClient,
  slackUserId: string,
  message: Message,
): Promise<void> {
  const { channel } = await slack.conversations.open({ users: slackUserId });
  if (!channel?.id) throw new Error('Slack opened a direct message without an id');
  await slack.chat.postMessage({ channel: channel.id, ...message });
}
