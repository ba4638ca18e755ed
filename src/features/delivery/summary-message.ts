import { type Message, notice } from '../../slack/blocks.ts';
import { moment, safe } from '../../slack/mrkdwn.ts';
import type { LiveSummary } from './delivery-store.ts';

export type SummaryFace = Pick<LiveSummary, 'title' | 'counts' | 'since' | 'lastAt'> & {
  isLast: boolean;
};

const facetsShown = 8;

/** What came too fast to be posted one by one, in numbers: edited while it grows. */
export function summaryMessage({ title, counts, since, lastAt, isLast }: SummaryFace): Message {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const alerts = total === 1 ? '1 more alert' : `${number(total)} more alerts`;
  const when = isLast ? `from ${time(since)} to ${time(lastAt)}` : `since ${time(since)}`;
  const about = title.trim() ? ` (${safe(title, 150)})` : '';
  return notice(`*${alerts} ${when}*${about}: ${listOf(counts)}. \`/belay alerts\` shows them.`);
}

function listOf(counts: Record<string, number>): string {
  const byCount = Object.entries(counts).sort(([, a], [, b]) => b - a);
  const shown = byCount.slice(0, facetsShown).map(([facet, count]) => named(facet, count));
  const rest = byCount.slice(facetsShown).reduce((sum, [, count]) => sum + count, 0);
  return [...shown, ...(rest > 0 ? [`${number(rest)} others`] : [])].join(', ');
}

const plurals = new Map([
  ['error', 'errors'],
  ['warning', 'warnings'],
  ['notice', 'notices'],
]);

/** Only words that Belay knows are given a plural; what the service may invent stays as it is. */
function named(facet: string, count: number): string {
  const word = (count === 1 ? undefined : plurals.get(facet)) ?? facet.trim();
  return `${number(count)} ${safe(word, 40) || 'of no kind'}`;
}

function number(count: number): string {
  return count.toLocaleString('en-US');
}

function time(at: Date): string {
  return moment(at, '{time}');
}
