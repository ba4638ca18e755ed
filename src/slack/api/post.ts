import type { MessageMetadata } from '@slack/types';
import { z } from 'zod';
import { subMinutes } from '../../dates.ts';
import type { Message } from '../ui/blocks.ts';
import { bindMessage } from '../ui/bound-message.ts';
import { channelMention } from '../ui/mrkdwn.ts';
import { isUnreachableChannel, slackErrorCode } from './error-codes.ts';
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
    return await post(slack, channelId, message, threadTs ? { thread_ts: threadTs } : {});
  } catch (error) {
    if (isUnreachableChannel(error)) return undefined;
    throw error;
  }
}

async function post(
  slack: SlackClient,
  channelId: string,
  message: Message,
  more: { thread_ts?: string; metadata?: MessageMetadata },
): Promise<MessageRef> {
  const { ts, channel } = await slack.chat.postMessage({
    channel: channelId,
    ...bindMessage(message, slack),
    ...noAutoParsing,
    ...noUnfurling,
    ...more,
  });
  if (!ts) throw new Error('Slack posted a message without a timestamp');
  // For a person's id Slack answers with that of the direct message.
  return { channelId: channel ?? channelId, messageTs: ts };
}

/** Replaces a posted message. https://docs.slack.dev/reference/methods/chat.update */
export async function updateMessage(
  slack: SlackClient,
  { channelId, messageTs }: MessageRef,
  message: Message,
): Promise<void> {
  const shown = { ...bindMessage(message, slack), ...noAutoParsing };
  await slack.chat.update({ channel: channelId, ts: messageTs, ...shown });
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
      const shown = { ...bindMessage(message, slack), ...noAutoParsing };
      await slack.chat.postEphemeral({ ...address, ...thread, ...shown });
      return;
    } catch (error) {
      if (!isUnreachableChannel(error)) throw error;
    }
  }
  await sendDirectMessage(slack, to.slackUserId, message);
}

/**
 * Sends a direct message. With a `key`, one that may have been sent since `attemptedAt` is updated
 * instead, because Slack would post it a second time.
 */
export async function sendDirectMessage(
  slack: SlackClient,
  slackUserId: string,
  message: Message,
  once?: { key: string; attemptedAt: Date | undefined },
): Promise<MessageRef> {
  const channelId = await openDirectMessage(slack, slackUserId);
  if (once?.attemptedAt) {
    const sent = await findByKey(slack, channelId, { ...once, since: once.attemptedAt });
    if (sent) {
      await updateMessage(slack, sent, message);
      return sent;
    }
  }
  const metadata = once && { event_type: keyedMessage, event_payload: { key: once.key } };
  return post(slack, channelId, message, metadata ? { metadata } : {});
}

/**
 * Updates the direct message with this `key` if it was sent since `attemptedAt`, although its place
 * isn't known. Sends none.
 */
export async function updateDirectMessage(
  slack: SlackClient,
  slackUserId: string,
  message: Message,
  { key, attemptedAt }: { key: string; attemptedAt: Date },
): Promise<MessageRef | undefined> {
  const channelId = await openDirectMessage(slack, slackUserId);
  const sent = await findByKey(slack, channelId, { key, since: attemptedAt });
  if (sent) await updateMessage(slack, sent, message);
  return sent;
}

async function openDirectMessage(slack: SlackClient, slackUserId: string): Promise<string> {
  const { channel } = await slack.conversations.open({ users: slackUserId });
  if (!channel?.id) throw new Error('Slack opened a direct message without an id');
  return channel.id;
}

/** The type of the metadata that holds a message's key. https://docs.slack.dev/messaging/message-metadata */
const keyedMessage = 'belay_message';

/** Slack's clock and ours may differ. */
const clockToleranceMinutes = 5;

const keyed = z.object({
  ts: z.string(),
  metadata: z.object({
    event_type: z.literal(keyedMessage),
    event_payload: z.object({ key: z.string() }),
  }),
});

/**
 * The newest message with this key. Undefined also where Belay can't read its direct messages: the
 * scope `im:history` is optional. https://docs.slack.dev/reference/methods/conversations.history
 */
async function findByKey(
  slack: SlackClient,
  channelId: string,
  { key, since }: { key: string; since: Date },
): Promise<MessageRef | undefined> {
  const oldest = String(subMinutes(since, clockToleranceMinutes).getTime() / 1000);
  try {
    const { messages = [] } = await slack.conversations.history({
      channel: channelId,
      oldest,
      limit: 100,
      include_all_metadata: true,
    });
    const found = messages
      .map((message) => keyed.safeParse(message).data)
      .find((message) => message?.metadata.event_payload.key === key);
    return found && { channelId, messageTs: found.ts };
  } catch (error) {
    if (slackErrorCode(error) === 'missing_scope') return undefined;
    throw error;
  }
}
