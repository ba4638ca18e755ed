import {
  actionsIfAny,
  button,
  context,
  type MessageBlock,
  section,
} from '../../../slack/ui/blocks.ts';
import { barChart, type ChartBlock } from '../../../slack/ui/chart.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { type TableColumn, table } from '../../../slack/ui/table.ts';
import { plural } from '../../../slack/ui/words.ts';
import { dayMs, daysPerPoint, type HistoryPoint, type Period, periods } from '../history.ts';
import type { Comparison, History } from '../read-history.ts';
import { periodActionId } from './ids.ts';

/**
 * The chart of a history, and its figures in a table unless the message has one already, because Slack
 * may refuse a second one. Without a chart if fewer than two days have figures.
 */
export function historyBlocks(
  history: History,
  {
    of,
    hasTable,
    buttonValue,
  }: {
    /** What the history is of, for screen readers. */
    of: string;
    /** Whether the message has a table already. */
    hasTable: boolean;
    /** The value of the button for a period. Undefined if it does not fit into one. */
    buttonValue: (period: Period) => Record<string, unknown> | undefined;
  },
): MessageBlock[] {
  const { period, points } = history;
  const chart = historyChart(history);
  const rows = historyRows(points);
  const isInTable = chart && !hasTable;
  const notes = [
    ...(chart ? [] : ['The chart is available after two days with data.']),
    ...(isInTable && rows.flat().includes('–') ? ['– = no data'] : []),
  ];
  const buttons = periods.flatMap((one) => {
    const value = one === period ? undefined : buttonValue(one);
    if (!value) return [];
    return button({
      text: `Last ${one} days`,
      actionId: periodActionId(one),
      value: encodeValue(value),
      accessibilityLabel: `Show the last ${one} days: ${of}`,
    });
  });
  return [
    section(formatPeriod(period)),
    ...(chart ? [chart] : []),
    ...(isInTable ? [table(columnsOf(period), rows)] : []),
    ...notes.map(context),
    ...actionsIfAny(buttons),
  ];
}

function columnsOf(period: Period): TableColumn[] {
  const step = daysPerPoint[period];
  return [
    { title: step === 1 ? 'Day' : `${step} days ending` },
    { title: 'Noncompliant', align: 'right' },
    { title: 'Unprotected', align: 'right' },
  ];
}

/** Slack's chart needs a number for each category, so a point without a count is left out. */
function historyChart(history: History): ChartBlock | undefined {
  const drawn = history.points.filter(({ counts }) => counts?.nonCompliantCount !== undefined);
  if (drawn.length < 2) return undefined;
  const series = chartSeries(history);
  return barChart({
    title: series.length > 1 ? 'Noncompliant and unprotected volumes' : 'Noncompliant volumes',
    categories: drawn.map(({ day }) => formatDay(day)),
    series: series.map(({ name, count }) => ({
      name,
      values: drawn.map(({ counts }) => counts?.[count] ?? 0),
    })),
  });
}

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
function formatPeriod(period: Period): string {
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
function chartSeries({ points }: History): ChartSeries[] {
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
function historyRows(points: HistoryPoint[]): string[][] {
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
