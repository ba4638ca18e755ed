import { isSameMinute } from 'date-fns/isSameMinute';
import { subHours } from 'date-fns/subHours';
import { type Message, notice } from '../slack/ui/blocks.ts';
import { moment, safe } from '../slack/ui/mrkdwn.ts';
import type { LiveSummary } from './outbox-store.ts';

type Counted = Pick<LiveSummary, 'title' | 'counts' | 'since' | 'lastAt' | 'raised'>;
export type SummaryContent = Counted & { isLast: boolean; now: Date };

const facetsShown = 8;

/** What came too fast to be posted one by one, in numbers: edited while it grows. */
export function summaryMessage(face: SummaryContent): Message {
  const { title, counts } = face;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const alerts = total === 1 ? '1 more alert' : `${number(total)} more alerts`;
  const about = title.trim() ? ` (${safe(title, 150)})` : '';
  return notice(
    `*${alerts}${when(face)}*${about}: ${listOf(counts)}. \`/belay alerts\` shows them.`,
  );
}

/** When they were raised, if the service tells of each, and else when Belay counted them. */
function when({ raised, since, lastAt, isLast, now }: SummaryContent): string {
  const { from, to } = raised ?? { from: since, to: lastAt };
  // Within half a day a time of day is one moment only, whatever the reader's time zone.
  const isRecent = from > subHours(now, 12);
  const time = (at: Date) => (isRecent ? moment(at, '{time}') : moment(at));
  const verb = raised ? ', raised' : '';
  if (!isLast) return `${verb} since ${time(from)}`;
  if (raised && isSameMinute(from, to)) return `${verb} ${isRecent ? 'at ' : ''}${time(from)}`;
  return `${verb} from ${time(from)} to ${time(to)}`;
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
