import { addMilliseconds } from 'date-fns/addMilliseconds';
import { max } from 'date-fns/max';
import { min } from 'date-fns/min';
import type { LiveSummary, Waiting, WaitingMessage } from './outbox-store.ts';
import { timings } from './timings.ts';

export type Next =
  | { kind: 'message'; item: WaitingMessage }
  | { kind: 'summary'; item: LiveSummary; isLast: boolean }
  | { kind: 'rest'; until: Date | undefined };

/**
 * What a channel is told next: a posted summary whose new face is due, else the first in the queue,
 * in which a new summary has its place like any message. A new message overtakes what is before it
 * after so many edits and replies in a row. While edits are limited, or fail, the queue goes on
 * without them.
 */
export function chooseNext(waiting: Waiting, now: Date): Next {
  const { summaries, editsReadyAt } = waiting;
  const holdsOf = ({ retryAt }: Item) => [editsReadyAt, retryAt].filter((at) => at !== undefined);
  const gapMs = Math.max(timings.betweenSummariesMs, timings.forEachSummaryMs * summaries.length);
  const times = summaries.map((summary) => {
    const dueAt = dueOf(summary, gapMs);
    return { summary, dueAt: summary.posted ? max([dueAt, ...holdsOf(summary)]) : dueAt };
  });
  const due = times
    .filter((one) => one.dueAt <= now)
    .sort((a, b) => a.dueAt.getTime() - b.dueAt.getTime())
    .map(({ summary }) => summary);
  const editHolds = waiting.edit ? holdsOf(waiting.edit) : [];
  const edit = editHolds.some((at) => at > now) ? undefined : waiting.edit;
  const face = due.find(({ posted }) => posted);
  if (face && !(edit && mayGoBefore(edit, face, waiting))) return asNext(face, now);

  const post = firstOf([waiting.post, ...due.filter(({ posted }) => !posted)]);
  const change = firstOf([edit, waiting.reply]);
  const overtakes = waiting.changesInARow >= timings.maxChangesInARow;
  const next = post && overtakes ? post : firstOf([post, change]);
  if (next) return asNext(next, now);
  const [earliest, ...others] = [
    ...times.map((one) => one.dueAt),
    ...(editHolds.length > 0 ? [max(editHolds)] : []),
  ];
  return { kind: 'rest', until: earliest && min([earliest, ...others]) };
}

type Item = WaitingMessage | LiveSummary;

function firstOf(items: (Item | undefined)[]): Item | undefined {
  return items.filter((item) => item !== undefined).sort((a, b) => a.position - b.position)[0];
}

/** While edits fail, one that was not tried since goes before a face that failed: it may be that one. */
function mayGoBefore(
  { retryAt, queuedAt }: WaitingMessage,
  face: LiveSummary,
  { failedEdits }: Waiting,
): boolean {
  return failedEdits > 0 && face.retryAt !== undefined && (retryAt ?? queuedAt) < face.retryAt;
}

function asNext(item: Item, now: Date): Next {
  if (item.kind === 'message') return { kind: 'message', item };
  return { kind: 'summary', item, isLast: closesAt(item) <= now };
}

function dueOf(summary: LiveSummary, gapMs: number): Date {
  const { untoldSince, sentAt } = summary;
  const closes = closesAt(summary);
  if (!untoldSince) return closes;
  return min([closes, sentAt ? addMilliseconds(sentAt, gapMs) : untoldSince]);
}

function closesAt({ since, lastAt }: LiveSummary): Date {
  return min([
    addMilliseconds(lastAt, timings.quietMs),
    addMilliseconds(since, timings.maxSummaryMs),
  ]);
}
