import { addMilliseconds } from 'date-fns/addMilliseconds';
import { min } from 'date-fns/min';
import type { LiveSummary, Waiting, WaitingMessage } from './delivery-store.ts';
import { pace } from './pace.ts';

export type Next =
  | { kind: 'message'; item: WaitingMessage }
  | { kind: 'summary'; item: LiveSummary; isLast: boolean }
  | { kind: 'rest'; until: Date | undefined };

/**
 * What a channel is told next: a posted summary whose new face is due, else the first in the queue,
 * in which a new summary has its place like any message.
 */
export function chooseNext({ first, summaries }: Waiting, now: Date): Next {
  const gapMs = Math.max(pace.betweenSummariesMs, pace.forEachSummaryMs * summaries.length);
  const times = summaries.map((summary) => ({ summary, dueAt: dueAt(summary, gapMs) }));
  const due = times
    .filter((one) => one.dueAt <= now)
    .sort((a, b) => rank(a.summary) - rank(b.summary) || a.dueAt.getTime() - b.dueAt.getTime())
    .at(0)?.summary;
  if (due && (due.posted || !first || due.place < first.place)) {
    return { kind: 'summary', item: due, isLast: closesAt(due) <= now };
  }
  if (first) return { kind: 'message', item: first };
  const [earliest, ...others] = times.map((one) => one.dueAt);
  return { kind: 'rest', until: earliest && min([earliest, ...others]) };
}

function rank({ posted }: LiveSummary): number {
  return posted ? 0 : 1;
}

function dueAt(summary: LiveSummary, gapMs: number): Date {
  const { untoldSince, sentAt } = summary;
  const closes = closesAt(summary);
  if (!untoldSince) return closes;
  return min([closes, sentAt ? addMilliseconds(sentAt, gapMs) : untoldSince]);
}

function closesAt({ since, lastAt }: LiveSummary): Date {
  return min([
    addMilliseconds(lastAt, pace.quietMs),
    addMilliseconds(since, pace.longestSummaryMs),
  ]);
}
