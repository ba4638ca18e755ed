import { addMilliseconds, max, min } from '../../dates.ts';
import type { ChannelQueue, LiveSummary, WaitingMessage } from './store/queue.ts';
import { timings } from './timings.ts';

export type Next =
  | { kind: 'message'; item: WaitingMessage }
  | { kind: 'summary'; item: LiveSummary; isLast: boolean }
  | { kind: 'idle'; until: Date | undefined };

/**
 * What a channel gets next: the update of a posted summary if one is due, else the first in the
 * queue, in which a new summary has a position like any message. After `maxChangesInARow` edits and
 * replies a new message goes before them. While edits are rate-limited or fail, the rest of the
 * queue continues without them.
 */
export function chooseNext(queue: ChannelQueue, now: Date): Next {
  const { summaries, editsReadyAt } = queue;
  const notBeforeTimes = ({ retryAt }: Item) =>
    [editsReadyAt, retryAt].filter((at) => at !== undefined);
  const gapMs = Math.max(timings.betweenSummariesMs, timings.forEachSummaryMs * summaries.length);
  const times = summaries.map((summary) => {
    const dueAt = dueOf(summary, gapMs);
    return { summary, dueAt: summary.posted ? max([dueAt, ...notBeforeTimes(summary)]) : dueAt };
  });
  const due = times
    .filter(({ dueAt }) => dueAt <= now)
    .sort((a, b) => a.dueAt.getTime() - b.dueAt.getTime())
    .map(({ summary }) => summary);
  const editNotBefore = queue.edit ? notBeforeTimes(queue.edit) : [];
  const edit = editNotBefore.some((at) => at > now) ? undefined : queue.edit;
  const update = due.find(({ posted }) => posted);
  if (update && !(edit && goesBefore(edit, update, queue))) return asNext(update, now);

  const post = firstOf([queue.post, ...due.filter(({ posted }) => !posted)]);
  const change = firstOf([edit, queue.reply]);
  const postGoesFirst = queue.changesInARow >= timings.maxChangesInARow;
  const next = post && postGoesFirst ? post : firstOf([post, change]);
  if (next) return asNext(next, now);
  const [earliest, ...others] = [
    ...times.map(({ dueAt }) => dueAt),
    ...(editNotBefore.length > 0 ? [max(editNotBefore)] : []),
  ];
  return { kind: 'idle', until: earliest && min([earliest, ...others]) };
}

type Item = WaitingMessage | LiveSummary;

function firstOf(items: (Item | undefined)[]): Item | undefined {
  return items.filter((item) => item !== undefined).sort((a, b) => a.position - b.position)[0];
}

/**
 * While edits fail, an edit that was not tried since goes before a summary update that failed: only
 * that one message may be the cause.
 */
function goesBefore(
  { retryAt, queuedAt }: WaitingMessage,
  update: LiveSummary,
  { failedEdits }: ChannelQueue,
): boolean {
  return failedEdits > 0 && update.retryAt !== undefined && (retryAt ?? queuedAt) < update.retryAt;
}

function asNext(item: Item, now: Date): Next {
  if (item.kind === 'message') return { kind: 'message', item };
  return { kind: 'summary', item, isLast: closesAt(item) <= now };
}

function dueOf(summary: LiveSummary, gapMs: number): Date {
  const { unshownSince, sentAt } = summary;
  const closes = closesAt(summary);
  if (!unshownSince) return closes;
  return min([closes, sentAt ? addMilliseconds(sentAt, gapMs) : unshownSince]);
}

function closesAt({ since, lastAt }: LiveSummary): Date {
  return min([
    addMilliseconds(lastAt, timings.quietMs),
    addMilliseconds(since, timings.maxSummaryMs),
  ]);
}
