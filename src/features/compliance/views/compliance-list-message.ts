import {
  actions,
  button,
  context,
  type KnownBlock,
  type Message,
  message,
  notice,
  section,
} from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { safe } from '../../../slack/ui/mrkdwn.ts';
import { type TableColumn, table } from '../../../slack/ui/table.ts';
import { plural } from '../../../slack/ui/words.ts';
import type { PolicyReading } from '../read-compliance.ts';
import { ebsOnly, formatReading, formatStatistics, sumStatistics } from './format-compliance.ts';
import { nextActionId, previousActionId, refreshActionId } from './ids.ts';
import { policyMenu } from './policy-choice.ts';

const perPage = 10;

/**
 * A summary, then ten policies in a table: those with the most noncompliant volumes first, then those
 * that could not be read, of which nothing is known, then those with the most unprotected volumes.
 */
export function complianceListMessage(
  readings: PolicyReading[],
  { unreadCount, start: wanted = 0 }: { unreadCount: number; start?: number },
): Message {
  if (readings.length === 0) return notice(`This service has no policies. ${ebsOnly}`);
  const sorted = readings.toSorted(
    (one, other) =>
      countOf(other, 'nonCompliantCount') - countOf(one, 'nonCompliantCount') ||
      Number(isUnread(other)) - Number(isUnread(one)) ||
      countOf(other, 'unprotectedCount') - countOf(one, 'unprotectedCount'),
  );
  const start = wanted < sorted.length ? wanted : 0;
  const shown = sorted.slice(start, start + perPage);
  const title = formatTitle(readings);
  const isFine = unreadCount === 0 && readings.every(isFineReading);
  const summary = formatSummary(readings);
  const notes = formatNotes(readings, unreadCount);
  const range =
    sorted.length > perPage
      ? [`Policies ${start + 1}-${start + shown.length} of ${sorted.length}, worst first`]
      : [];
  const menu = policyMenu(shown.map(({ policy }) => policy));
  const blocks: KnownBlock[] = [
    section([`${isFine ? ':white_check_mark:' : ':warning:'} *${title}*`, ...summary].join('\n')),
    ...range.map(context),
    table(columns, shown.map(rowOf)),
    actions([...(menu ? [menu] : []), ...pageButtons(start, sorted.length)]),
    context([...notes, 'Command: `/belay compliance`'].join('\n')),
  ];
  const lines = shown.map(
    ({ policy, reading }) => `${safe(policy.name, 100)}: ${formatReading(reading)}`,
  );
  return message([title, ...summary, ...range, ...notes, ...lines].join('\n'), blocks);
}

const columns: TableColumn[] = [
  { title: 'Policy' },
  { title: 'Noncompliant', align: 'right' },
  { title: 'Compliant', align: 'right' },
  { title: 'Unprotected', align: 'right' },
];

function rowOf({ policy: { name }, reading }: PolicyReading): string[] {
  if (reading.outcome === 'failed') return [name, 'Unavailable', '–', '–'];
  if (reading.outcome === 'none') return [name, 'No data', '–', '–'];
  const { nonCompliantCount, compliantCount, unprotectedCount } = reading.statistics;
  const counts = [nonCompliantCount, compliantCount, unprotectedCount];
  return [name, ...counts.map((count) => (count === undefined ? '–' : String(count)))];
}

function pageButtons(start: number, total: number) {
  const page = (text: string, actionId: string, to: number) =>
    button({
      ...{ text, actionId, value: encodeValue({ start: to }) },
      accessibilityLabel: `${text}: compliance of policies`,
    });
  return [
    ...(start > 0 ? [page('Previous', previousActionId, Math.max(0, start - perPage))] : []),
    ...(start + perPage < total ? [page('Next', nextActionId, start + perPage)] : []),
    page('Refresh', refreshActionId, start),
  ];
}

/** Claims nothing about policies without data. */
function formatTitle(readings: PolicyReading[]): string {
  const failing = readings.filter((one) => countOf(one, 'nonCompliantCount') > 0).length;
  const {
    read = [],
    none = [],
    failed = [],
  } = Object.groupBy(readings, ({ reading }) => reading.outcome);
  const policies = plural(read.length, 'policy', 'policies');
  const result =
    failing > 0
      ? `noncompliant volumes in ${failing} of ${policies}`
      : `no noncompliant volumes reported in ${policies}`;
  return [
    `Compliance: ${read.length > 0 ? result : 'no data'}`,
    ...(read.length > 0 && none.length > 0 ? [`${none.length} without data`] : []),
    ...(failed.length > 0 ? [`${failed.length} unavailable`] : []),
  ].join(' · ');
}

/** The same volume may count in several policies, so the sums are said to be of policies. */
function formatSummary(readings: PolicyReading[]): string[] {
  const read = readings.flatMap(({ reading }) =>
    reading.outcome === 'read' ? [reading.statistics] : [],
  );
  return read.length > 1 ? [`All policies: ${formatStatistics(sumStatistics(read))}`] : [];
}

function formatNotes(readings: PolicyReading[], unreadCount: number): string[] {
  const seeding = readings.filter(
    ({ reading }) => reading.outcome === 'read' && reading.statistics.hasSeedingEntities,
  ).length;
  return [
    ...(unreadCount > 0
      ? [`${plural(unreadCount, 'more policy', 'more policies')} not checked · ${askByName}`]
      : []),
    ...(readings.some(isUnread) ? [`Unavailable: couldn't be read · ${askByName}`] : []),
    ...(seeding > 0
      ? [
          `First backups are running in ${plural(seeding, 'policy', 'policies')}, so counts will change.`,
        ]
      : []),
    ebsOnly,
  ];
}

const askByName = 'View one with `/belay compliance [policy name or ID]`';

function isUnread({ reading }: PolicyReading): boolean {
  return reading.outcome === 'failed';
}

function isFineReading(reading: PolicyReading): boolean {
  const bad = countOf(reading, 'nonCompliantCount') + countOf(reading, 'unprotectedCount');
  return bad === 0 && reading.reading.outcome === 'read';
}

function countOf({ reading }: PolicyReading, count: 'nonCompliantCount' | 'unprotectedCount') {
  return reading.outcome === 'read' ? (reading.statistics[count] ?? 0) : 0;
}
