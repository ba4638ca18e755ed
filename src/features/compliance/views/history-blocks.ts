import { actions, button, context, type MessageBlock, section } from '../../../slack/ui/blocks.ts';
import { barChart, type ChartBlock } from '../../../slack/ui/chart.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { type TableColumn, table } from '../../../slack/ui/table.ts';
import { daysPerPoint, type Period, periods } from '../history.ts';
import type { History } from '../read-history.ts';
import { chartSeries, formatDay, formatPeriod, historyRows } from './format-history.ts';
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
    ...(buttons.length > 0 ? [actions(buttons)] : []),
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
