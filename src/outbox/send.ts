import { isReaderGone, isUnreachableChannel } from '../slack/api/message-failure.ts';
import { type MessageRef, postMessage, redrawMessage } from '../slack/api/post.ts';
import type { SlackClient } from '../slack/api/slack-client.ts';
import type { Message } from '../slack/ui/blocks.ts';
import type { Next } from './choose-next.ts';
import { lateMessage } from './late-message.ts';
import { summaryMessage } from './summary-message.ts';

export type Sendable = Exclude<Next, { kind: 'rest' }>;

export type Sent = { kind: 'sent'; posted: MessageRef } | { kind: 'unreachable' };

/** Posts it, replies with it, or gives a posted message its new face. Throws what Slack threw. */
export async function send(
  slack: SlackClient,
  channelId: string,
  next: Sendable,
  now: Date,
): Promise<Sent> {
  const { posted } = next.item;
  const said = faceOf(next, now);
  try {
    if (posted) {
      await redrawMessage(slack, posted, said);
      return { kind: 'sent', posted };
    }
    const thread = threadOf(next);
    const place = thread?.channelId ?? channelId;
    const fresh = await postMessage(slack, place, said, thread?.messageTs);
    return fresh ? { kind: 'sent', posted: fresh } : { kind: 'unreachable' };
  } catch (error) {
    if (isUnreachableChannel(error) || isReaderGone(error)) return { kind: 'unreachable' };
    throw error;
  }
}

function threadOf(next: Sendable): MessageRef | undefined {
  if (next.kind === 'summary' || next.item.thread === 'missing') return undefined;
  return next.item.thread;
}

function faceOf(next: Sendable, now: Date): Message {
  const { item } = next;
  const verb = item.posted ? 'updated' : 'posted';
  if (next.kind === 'message') {
    const { message, queuedAt } = next.item;
    return lateMessage(message, { lateMs: now.getTime() - queuedAt.getTime(), verb });
  }
  const { untoldSince = now } = next.item;
  const face = summaryMessage({ ...next.item, isLast: next.isLast, now });
  return lateMessage(face, { lateMs: now.getTime() - untoldSince.getTime(), verb });
}
