import {
  actions,
  context,
  type Message,
  message,
  notice,
  section,
} from '../../../slack/ui/blocks.ts';
import { pagesAround } from '../../../slack/ui/pager.ts';
import { type TableColumn, table } from '../../../slack/ui/table.ts';
import { plural } from '../../../slack/ui/words.ts';
import type { PolicyReading } from '../read-compliance.ts';
import type { ListHistory } from '../read-history.ts';
import { ebsOnly, formatStatistics, sumStatistics } from './format-compliance.ts';
import {
  formatComparisons,
  formatCount,
  formatDifference,
  historyBlocks,
} from './history-blocks.ts';
import { compliancePager } from './ids.ts';
import { knownPoliciesNote, policyMenu } from './policy-choice.ts';

const perPage = 10;

/** A summary, ten policies in a table, the worst first, and the history of all. */
export function complianceListMessage(
  readings: PolicyReading[],
  {
    unreadCount,
    start: wanted = 0,
    history,
    isListed = true,
  }: {
    unreadCount: number;
    start?: number;
    history: ListHistory;
    /** False for the policies that Belay knows, where the service lists none. */
    isListed?: boolean;
  },
): Message {
  if (readings.length === 0) return notice(`This service has no policies. ${ebsOnly}`);
  const sorted = rankPolicies(readings);
  const start = wanted < sorted.length ? wanted : 0;
  const shown = sorted.slice(start, start + perPage);
  const title = formatTitle(readings);
  const isFine = unreadCount === 0 && readings.every(isFineReading);
  const summary = [...formatSummary(readings, unreadCount), formatComparisons(history.comparisons)];
  const range =
    sorted.length > perPage
      ? [`Policies ${start + 1}-${start + shown.length} of ${sorted.length}, worst first`]
      : [];
  const menu = policyMenu(shown.map(({ policy }) => policy));
  const rows = shown.map((one) => rowOf(one, history));
  const { period } = history;
  return message([
    section([`${isFine ? ':white_check_mark:' : ':warning:'} *${title}*`, ...summary].join('\n')),
    ...range.map(context),
    table(columnsFor(shown, history), rows),
    actions([
      ...(menu ? [menu] : []),
      ...compliancePager.buttons(pagesAround({ start, period }, { total: sorted.length, perPage })),
    ]),
    ...(isListed ? [] : [context(knownPoliciesNote)]),
    context(
      [
        ...formatNotes(readings, unreadCount),
        ...(rows.flat().includes('–') ? ['– = no data'] : []),
        'EBS volumes only · Command: `/belay compliance`',
      ].join('\n'),
    ),
    ...historyBlocks(history, {
      of: 'all policies',
      hasTable: true,
      buttonValue: (one) => ({ start, period: one }),
    }),
  ]);
}

function columnsFor(shown: PolicyReading[], { sinceYesterday }: ListHistory): TableColumn[] {
  const hasChanges = shown.some(({ policy }) => sinceYesterday.get(policy.id));
  return [
    { title: 'Policy' },
    { title: `Noncompliant${hasChanges ? ' (since yesterday)' : ''}`, align: 'right' },
    { title: 'Compliant', align: 'right' },
    { title: 'Unprotected', align: 'right' },
  ];
}

function rowOf(
  { policy: { id, name }, reading }: PolicyReading,
  { sinceYesterday }: ListHistory,
): string[] {
  if (reading.outcome === 'failed') return [name, 'Unavailable', '–', '–'];
  if (reading.outcome === 'none') return [name, 'No data', '–', '–'];
  const { nonCompliantCount, compliantCount, unprotectedCount } = reading.statistics;
  // As the other lists say it: no volume has been checked.
  if (nonCompliantCount === 0 && compliantCount === 0) {
    return [name, 'No data', '–', formatCount(unprotectedCount)];
  }
  const difference = sinceYesterday.get(id);
  const change = difference ? ` (${formatDifference(difference)})` : '';
  return [
    ...[name, `${formatCount(nonCompliantCount)}${change}`],
    ...[compliantCount, unprotectedCount].map(formatCount),
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

/** A volume may count in several policies, so the text says that the sums are over policies. */
function formatSummary(readings: PolicyReading[], unreadCount: number): string[] {
  const read = readings.flatMap(({ reading }) =>
    reading.outcome === 'read' ? [reading.statistics] : [],
  );
  const isAll = unreadCount === 0 && !readings.some(isUnread);
  const which = isAll ? 'All policies' : 'Policies that could be read';
  return read.length > 1 ? [`${which}: ${formatStatistics(sumStatistics(read))}`] : [];
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
  ];
}

const askByName = 'View one with `/belay compliance [policy name or ID]`';

function isUnread({ reading }: PolicyReading): boolean {
  return reading.outcome === 'failed';
}

/** Without the noncompliant count, nothing is known. A service may leave out the unprotected count. */
function isFineReading({ reading }: PolicyReading): boolean {
  if (reading.outcome !== 'read') return false;
  const { nonCompliantCount, unprotectedCount = 0 } = reading.statistics;
  return nonCompliantCount === 0 && unprotectedCount === 0;
}

/**
 * Order: most noncompliant volumes first; then policies whose count is unknown, because they may have
 * some; then the others, most unprotected volumes first; policies without any data last.
 */
function rankPolicies(readings: PolicyReading[]): PolicyReading[] {
  return readings.toSorted(
    (one, other) =>
      countOf(other, 'nonCompliantCount') - countOf(one, 'nonCompliantCount') ||
      certaintyOf(one) - certaintyOf(other) ||
      countOf(other, 'unprotectedCount') - countOf(one, 'unprotectedCount'),
  );
}

function certaintyOf({ reading }: PolicyReading): number {
  if (reading.outcome === 'none') return 2;
  const isKnown = reading.outcome === 'read' && reading.statistics.nonCompliantCount !== undefined;
  return isKnown ? 1 : 0;
}

/** 0 if it is unknown. */
function countOf(
  { reading }: PolicyReading,
  count: 'nonCompliantCount' | 'unprotectedCount',
): number {
  return reading.outcome === 'read' ? (reading.statistics[count] ?? 0) : 0;
}
