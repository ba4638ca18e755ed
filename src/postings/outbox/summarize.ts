import { storable } from '../../database/canonical-text.ts';
import { isSameMinute, max, min, subHours } from '../../dates.ts';
import { type Button, type Message, message, section } from '../../slack/ui/blocks.ts';
import { moment, safe } from '../../slack/ui/mrkdwn.ts';
import { plural } from '../../slack/ui/words.ts';
import type { Group, Outgoing } from './message.ts';

export type Span = { from: Date; to: Date };

export type SummaryContent = {
  title: string;
  /** How many of each facet. */
  counts: Record<string, number>;
  since: Date;
  lastAt: Date;
  /** When they were raised; undefined unless the service gives a time for all of them. */
  raised: Span | undefined;
};

/** A service that names every alert differently must not make the row grow with the storm. */
const maxFacets = 50;
/** Room for alerts whose causes are no longer counted one by one. */
const maxSeverities = 10;
const otherFacet = 'other';

type Tally = { title: string; counts: Map<string, number>; raised: Span | undefined };

/** Counts messages by group and facet. */
export function tallyByGroup(counted: Outgoing[], at: Date): Map<string, Tally> {
  const tallies = new Map<string, Tally>();
  for (const { group } of counted) {
    if (!group) continue;
    const tally = tallies.get(group.key);
    const counts = tally?.counts ?? new Map<string, number>();
    add(counts, storable(group.facet), 1);
    const raisedAt = plausibleTime(group, at);
    const own = raisedAt && { from: raisedAt, to: raisedAt };
    const raised = tally ? joinSpans(tally.raised, own) : own;
    tallies.set(group.key, { title: group.title, counts, raised });
  }
  return tallies;
}

/** The clock of a service may be ahead or not set. */
function plausibleTime({ raisedAt }: Group, at: Date): Date | undefined {
  if (!raisedAt || raisedAt.getTime() <= 0) return undefined;
  return min([raisedAt, at]);
}

/** Undefined if either is: a time that holds for a part must not be shown for the whole. */
export function joinSpans(a: Span | undefined, b: Span | undefined): Span | undefined {
  if (!a || !b) return undefined;
  return { from: min([a.from, b.from]), to: max([a.to, b.to]) };
}

export function totalOf(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

export function addCounts(
  before: Record<string, number>,
  more: Map<string, number>,
): Map<string, number> {
  const sum = new Map(Object.entries(before));
  for (const [facet, count] of more) add(sum, facet, count);
  return sum;
}

function add(counts: Map<string, number>, facet: string, count: number): void {
  const { severity, cause } = splitFacet(facet);
  const hasRoom = (key: string, max: number) => counts.has(key) || counts.size < max;
  const isSevere = cause !== '' && hasRoom(severity, maxFacets + maxSeverities);
  const key = hasRoom(facet, maxFacets) ? facet : isSevere ? severity : otherFacet;
  counts.set(key, (counts.get(key) ?? 0) + count);
}

function splitFacet(facet: string): { severity: string; cause: string } {
  const [severity = '', ...cause] = facet.split('\n');
  return { severity, cause: cause.join(' ') };
}

const maxFacetsShown = 8;
const maxCausesShown = 3;

/** The message of a summary, which is edited while the counts grow. `view` lists what it counts. */
export function summaryMessage(
  summary: SummaryContent & { isLast: boolean; now: Date },
  view?: Button,
): Message {
  const { title, counts } = summary;
  const total = totalOf(counts);
  const alerts = total === 1 ? '1 more alert' : `${formatNumber(total)} more alerts`;
  const about = title.trim() ? ` (${safe(title, 150)})` : '';
  const first = `*${alerts}${formatTime(summary)}*${about}: ${formatCounts(counts)}.`;
  return message([section([first, ...formatCauses(counts)].join('\n'), view)]);
}

/** When the alerts were raised, if the service says so for all of them, else when they were counted. */
function formatTime({
  raised,
  since,
  lastAt,
  isLast,
  now,
}: SummaryContent & { isLast: boolean; now: Date }): string {
  const { from, to } = raised ?? { from: since, to: lastAt };
  // Within 12 hours a time of day is unambiguous in every time zone.
  const isRecent = from > subHours(now, 12);
  const time = (at: Date) => (isRecent ? moment(at, '{time}') : moment(at));
  const verb = raised ? ', raised' : '';
  if (!isLast) return `${verb} since ${time(from)}`;
  if (raised && isSameMinute(from, to)) return `${verb} ${isRecent ? 'at ' : ''}${time(from)}`;
  return `${verb} from ${time(from)} to ${time(to)}`;
}

function formatCounts(counts: Record<string, number>): string {
  const byCount = sumBy(counts, 'severity');
  const shown = byCount.slice(0, maxFacetsShown).map(([facet, count]) => formatFacet(facet, count));
  const rest = byCount.slice(maxFacetsShown).reduce((sum, [, count]) => sum + count, 0);
  return [...shown, ...(rest > 0 ? [`${formatNumber(rest)} others`] : [])].join(', ');
}

/** The most frequent causes, one line each; none where only severities are counted. */
function formatCauses(counts: Record<string, number>): string[] {
  const byCount = sumBy(counts, 'cause').filter(([cause]) => cause !== '');
  const more = byCount.length - maxCausesShown;
  return [
    ...byCount
      .slice(0, maxCausesShown)
      .map(([cause, count]) => `• ${safe(cause, 150)}: ${formatNumber(count)}`),
    ...(more > 0 ? [`• ${plural(more, 'other cause')}`] : []),
  ];
}

/** Largest first. */
function sumBy(
  counts: Record<string, number>,
  part: 'severity' | 'cause',
): [name: string, count: number][] {
  const sums = new Map<string, number>();
  for (const [facet, count] of Object.entries(counts)) {
    const name = splitFacet(facet)[part];
    sums.set(name, (sums.get(name) ?? 0) + count);
  }
  return [...sums].sort(([, a], [, b]) => b - a);
}

/** Only words that Belay knows get a plural: the service may send any other. */
const plurals = new Map([
  ['error', 'errors'],
  ['warning', 'warnings'],
  ['notice', 'notices'],
]);

function formatFacet(facet: string, count: number): string {
  const word = (count === 1 ? undefined : plurals.get(facet)) ?? facet.trim();
  return `${formatNumber(count)} ${safe(word, 40) || 'without a severity'}`;
}

function formatNumber(count: number): string {
  return count.toLocaleString('en-US');
}
