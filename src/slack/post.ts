import type { Message } from './blocks.ts';
import type { SlackClient } from './slack-client.ts';
import { isUnreachableChannel } from './web-api-failure.ts';

/** Where a message is. */
export type MessageRef = { channelId: string; messageTs: string };

/**
 * Posts for everyone in the channel to see, or into the thread of `threadTs`; undefined when Belay
 * cannot write there.
 */
export async function postMessage(
  slack: SlackClient,
  channelId: string,
  message: Message,
  threadTs?: string,
): Promise<MessageRef | undefined> {
  try {
    const thread = threadTs ? { thread_ts: threadTs } : {};
    const { ts, channel } = await slack.chat.postMessage({
      channel: channelId,
      ...message,
      ...thread,
    });
    if (!ts) throw new Error('Slack posted a message without a timestamp');
    // Slack may answer with another id than it was given: that of a direct message for a person's.
    return { channelId: channel ?? channelId, messageTs: ts };
  } catch (error) {
    if (isUnreachableChannel(error)) return undefined;
    throw error;
  }
}

/** Gives a posted message a new face. */
export async function redrawMessage(
  slack: SlackClient,
  { channelId, messageTs }: MessageRef,
  message: Message,
): Promise<void> {
  await slack.chat.update({ channel: channelId, ts: messageTs, ...message });
}

/** A private line to one person: in the conversation where they acted, else as a direct message. */
export async function tell(
  slack: SlackClient,
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
  slack: SlackClient,
  slackUserId: string,
  message: Message,
): Promise<MessageRef> {
  const { channel } = await slack.conversations.open({ users: slackUserId });
  if (!channel?.id) throw new Error('Slack opened a direct message without an id');
  const { ts } = await slack.chat.postMessage({ channel: channel.id, ...message });
  if (!ts) throw new Error('Slack posted a message without a timestamp');
  return { channelId: channel.id, messageTs: ts };
}
