import type { Message } from '../ui/blocks.ts';
import { channelMention } from '../ui/mrkdwn.ts';
import { isUnreachableChannel } from './error-codes.ts';
import type { SlackClient } from './slack-client.ts';

/**
 * Keeps Slack from finding more links and mentions than Belay has marked up.
 * https://docs.slack.dev/messaging/formatting-message-text#automatic-parsing
 */
export const noAutoParsing = { parse: 'none', link_names: false } as const;
/** Nobody asked Slack to fetch the addresses in a message. */
export const noUnfurling = { unfurl_links: false, unfurl_media: false } as const;

/** The conversation and timestamp that identify a posted message. */
export type MessageRef = { channelId: string; messageTs: string };

/**
 * Posts a message that everyone in the channel sees, in the thread of `threadTs` if given. Undefined
 * when Belay can't post there. https://docs.slack.dev/reference/methods/chat.postMessage
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
      ...{ ...message, ...noAutoParsing, ...noUnfurling },
      ...thread,
    });
    if (!ts) throw new Error('Slack posted a message without a timestamp');
    // For a person's id Slack answers with that of the direct message.
    return { channelId: channel ?? channelId, messageTs: ts };
  } catch (error) {
    if (isUnreachableChannel(error)) return undefined;
    throw error;
  }
}

/** Replaces a posted message. https://docs.slack.dev/reference/methods/chat.update */
export async function updateMessage(
  slack: SlackClient,
  { channelId, messageTs }: MessageRef,
  message: Message,
): Promise<void> {
  await slack.chat.update({ channel: channelId, ts: messageTs, ...message, ...noAutoParsing });
}

/**
 * A link to a message: mrkdwn. Only its channel if Slack doesn't answer with the address, because no
 * message should fail for the lack of a link. https://docs.slack.dev/reference/methods/chat.getPermalink
 */
export async function linkToMessage(
  slack: SlackClient,
  { channelId, messageTs }: { channelId: string; messageTs: string | undefined },
  text: string,
): Promise<string> {
  const inChannel = channelMention(channelId);
  if (messageTs === undefined) return inChannel;
  try {
    const message = { channel: channelId, message_ts: messageTs };
    const { permalink } = await slack.chat.getPermalink(message);
    return permalink ? `<${permalink}|${text}>` : inChannel;
  } catch {
    return inChannel;
  }
}

/**
 * Sends a message that one person sees: in `channelId`, and there in the thread of `threadTs` if
 * given, if Belay can post there, else directly.
 */
export async function notifyPerson(
  slack: SlackClient,
  to: { slackUserId: string; channelId?: string | undefined; threadTs?: string | undefined },
  message: Message,
): Promise<void> {
  if (to.channelId) {
    try {
      const address = { channel: to.channelId, user: to.slackUserId };
      const thread = to.threadTs ? { thread_ts: to.threadTs } : {};
      await slack.chat.postEphemeral({ ...address, ...thread, ...message, ...noAutoParsing });
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
    ...{ ...message, ...noAutoParsing, ...noUnfurling },
  });
  if (!ts) throw new Error('Slack posted a message without a timestamp');
  return { channelId: channel.id, messageTs: ts };
}
