import type { Message } from '../ui/blocks.ts';
import { isUnreachableChannel } from './message-failure.ts';
import type { SlackClient } from './slack-client.ts';

/** Belay marks up what is to be a link or a mention; Slack is not to find any more in a text. */
export const asWritten = { parse: 'none', link_names: false } as const;
/** Nobody asked to have fetched and shown what an address leads to. */
export const withoutPreviews = { unfurl_links: false, unfurl_media: false } as const;

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
      ...{ ...message, ...asWritten, ...withoutPreviews },
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
  await slack.chat.update({ channel: channelId, ts: messageTs, ...message, ...asWritten });
}

/** A private line to one person: in the conversation where they acted, else as a direct message. */
export async function tell(
  slack: SlackClient,
  to: { slackUserId: string; channelId?: string | undefined },
  message: Message,
): Promise<void> {
  if (to.channelId) {
    try {
      const address = { channel: to.channelId, user: to.slackUserId };
      await slack.chat.postEphemeral({ ...address, ...message, ...asWritten });
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
  const { ts } = await slack.chat.postMessage({
    channel: channel.id,
    ...{ ...message, ...asWritten, ...withoutPreviews },
  });
  if (!ts) throw new Error('Slack posted a message without a timestamp');
  return { channelId: channel.id, messageTs: ts };
}
