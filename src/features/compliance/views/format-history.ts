import { plural } from '../../../slack/ui/words.ts';
import { dayMs, daysPerPoint, type HistoryPoint, type Period } from '../history.ts';
import type { Comparison, History } from '../read-history.ts';

/** "Noncompliant volumes: +1 since yesterday · unchanged in 7 days · no data from 30 days ago" */
export function formatComparisons(comparisons: Comparison[]): string {
  if (comparisons.every(({ difference }) => difference === undefined)) {
    return 'Noncompliant volumes: no earlier data to compare with';
  }
  const uncompared = comparisons.map(({ uncomparedCount }) => uncomparedCount);
  const maxUncompared = Math.max(...uncompared);
  const upTo = uncompared.every((one) => one === maxUncompared) ? '' : 'up to ';
  const notes =
    maxUncompared > 0 ? [`${upTo}${plural(maxUncompared, 'policy', 'policies')} not compared`] : [];
  return `Noncompliant volumes: ${[...comparisons.map(formatComparison), ...notes].join(' · ')}`;
}

function formatComparison({ daysAgo, difference }: Comparison): string {
  const isYesterday = daysAgo === 1;
  if (difference === undefined) {
    return `no data from ${isYesterday ? 'yesterday' : `${daysAgo} days ago`}`;
  }
  const change = difference === 0 ? 'unchanged' : formatDifference(difference);
  return `${change} ${isYesterday ? 'since yesterday' : `in ${daysAgo} days`}`;
}

/** With a true minus sign, which lines up with the plus. */
export function formatDifference(difference: number): string {
  if (difference === 0) return '0';
  return difference > 0 ? `+${difference}` : `−${-difference}`;
}

/** "*Last 30 days* · one reading every 2 days" */
export function formatPeriod(period: Period): string {
  const step = daysPerPoint[period];
  return `*Last ${period} days*${step === 1 ? '' : ` · one reading every ${step} days`}`;
}

/** "Nov 22": short enough for a category of a chart, and different for each point of a history. */
export function formatDay(day: number): string {
  return dayFormat.format(day * dayMs);
}

const dayFormat = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
});

/** What a chart shows: the unprotected volumes only if they are known at each point, and not all 0. */
export function chartSeries({ points }: History): ChartSeries[] {
  const drawn = points.flatMap(({ counts }) =>
    counts?.nonCompliantCount === undefined ? [] : [counts],
  );
  const hasUnprotected =
    drawn.every(({ unprotectedCount }) => unprotectedCount !== undefined) &&
    drawn.some(({ unprotectedCount }) => unprotectedCount);
  return [
    { name: 'Noncompliant', count: 'nonCompliantCount' },
    ...(hasUnprotected ? [{ name: 'Unprotected', count: 'unprotectedCount' } as const] : []),
  ];
}

type ChartSeries = { name: string; count: 'nonCompliantCount' | 'unprotectedCount' };

/** Newest first. */
export function historyRows(points: HistoryPoint[]): string[][] {
  return points
    .toReversed()
    .map(({ day, counts }) => [
      formatDay(day),
      formatCount(counts?.nonCompliantCount),
      formatCount(counts?.unprotectedCount),
    ]);
}

export function formatCount(count: number | undefined): string {
  return count === undefined ? '–' : String(count);
}
