import {
  isRecipientGone,
  isTransient,
  isUnreachableChannel,
  isUnsendable,
  retryAfterMs,
  slackErrorCode,
} from '../../slack/api/error-codes.ts';
import { type MessageRef, postMessage, updateMessage } from '../../slack/api/post.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import { type Button, context, type Message, message } from '../../slack/ui/blocks.ts';
import { limits } from '../../slack/ui/limits.ts';
import { capitalize } from '../../slack/ui/words.ts';
import type { Next } from './choose-next.ts';
import { summaryMessage } from './summarize.ts';
import { timings } from './timings.ts';

export type Sendable = Exclude<Next, { kind: 'idle' }>;

export type SummaryButton = (groupKey: string) => Button;

type SendOptions = { now: Date; summaryButton?: SummaryButton | undefined };

export type Sent = { kind: 'sent'; posted: MessageRef } | { kind: 'unreachable' };

/** Posts a message or a reply, or edits a posted message. @throws what Slack's client throws. */
export async function send(
  slack: SlackClient,
  channelId: string,
  next: Sendable,
  options: SendOptions,
): Promise<Sent> {
  const { posted } = next.item;
  const content = render(next, options);
  try {
    if (posted) {
      await updateMessage(slack, posted, content);
      return { kind: 'sent', posted };
    }
    const thread = threadOf(next);
    const target = thread?.channelId ?? channelId;
    const ref = await postMessage(slack, target, content, thread?.messageTs);
    return ref ? { kind: 'sent', posted: ref } : { kind: 'unreachable' };
  } catch (error) {
    if (isUnreachableChannel(error) || isRecipientGone(error)) return { kind: 'unreachable' };
    throw error;
  }
}

function threadOf(next: Sendable): MessageRef | undefined {
  if (next.kind === 'summary' || next.item.thread === 'missing') return undefined;
  return next.item.thread;
}

function render(next: Sendable, { now, summaryButton }: SendOptions): Message {
  const { item } = next;
  const verb = item.posted ? 'updated' : 'posted';
  if (next.kind === 'message') {
    const { message, queuedAt } = next.item;
    return withLateness(message, { lateMs: now.getTime() - queuedAt.getTime(), verb });
  }
  const { unshownSince = now } = next.item;
  const button = summaryButton?.(next.item.groupKey);
  const summary = summaryMessage({ ...next.item, isLast: next.isLast, now }, button);
  return withLateness(summary, { lateMs: now.getTime() - unshownSince.getTime(), verb });
}

/** The message, with a line that says how late it is if it is late. */
export function withLateness(
  content: Message,
  { lateMs, verb }: { lateMs: number; verb: 'posted' | 'updated' },
): Message {
  if (lateMs <= timings.lateMs) return content;
  const lateness = `${verb} ${formatDuration(lateMs)} late`;
  const text = `${content.text} (${lateness})`;
  if (!content.blocks) return { text };
  const blocks = content.blocks.slice(0, limits.blocksPerMessage - 1);
  return message([...blocks, context(capitalize(lateness))], text);
}

function formatDuration(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
}

type FailureClass =
  /** Slack will never take this message; the next one may pass. */
  | { kind: 'refused'; code: string }
  /** Rate-limited: wait as long as Slack says. */
  | { kind: 'wait'; ms: number }
  /** Temporary or unknown, also whether the message arrived: the same message again later. */
  | { kind: 'retry'; ms: number; attempts: number };

const attemptsToMaxWait = Math.ceil(Math.log2(timings.maxRetryMs / timings.firstRetryMs));

/** What to do about an error of Slack's for a message that has failed `attempts` times before. */
export function classifyFailure(error: unknown, attempts: number): FailureClass {
  const askedMs = retryAfterMs(error);
  if (askedMs !== undefined) return { kind: 'wait', ms: Math.max(askedMs, timings.firstRetryMs) };
  const code = slackErrorCode(error);
  const isRefusal = code !== undefined && !isTransient(error);
  if (isRefusal && (isUnsendable(error) || attempts + 1 >= timings.maxRefusals)) {
    return { kind: 'refused', code };
  }
  return {
    kind: 'retry',
    ms: retryMs(attempts),
    attempts: isRefusal ? attempts + 1 : afterTemporary(attempts),
  };
}

/** Temporary failures count only until the wait has its full length: they never give a message up. */
export function afterTemporary(attempts: number): number {
  return attempts < attemptsToMaxWait ? attempts + 1 : attempts;
}

/** How long to wait after a failure that follows `failuresBefore` others. */
export function retryMs(failuresBefore: number): number {
  const ms = timings.firstRetryMs * 2 ** Math.min(failuresBefore, attemptsToMaxWait);
  return Math.min(ms, timings.maxRetryMs);
}
