import { bold } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';
import {
  formatShare,
  hasBothCounts,
  hasCounts,
  type PolicySample,
  sumStatistics,
} from '../../compliance/index.ts';
import type { CountChange, PolicyChange } from '../collect/compare-policies.ts';
import type { ComplianceReport } from '../collect/digest-contents.ts';

/** Compliance over all policies and what has changed, in one line. */
export function formatCompliance(report: ComplianceReport): string {
  switch (report.result) {
    case 'failed':
      return '*Compliance* · unavailable. Run `/belay compliance` to see why.';
    case 'no-policies':
      return `*Compliance* · the service ${report.hasBaseline ? 'no longer lists any' : 'lists no'} policies.`;
    case 'read':
      return formatSummary(report);
  }
}

type ComplianceReading = ComplianceReport & { result: 'read' };

function formatSummary(report: ComplianceReading): string {
  const sum = sumStatistics(report.readings.map(({ statistics }) => statistics));
  const share = formatShare(sum);
  return [
    '*Compliance*',
    share ? `${share}${formatScope(report)}` : 'No percentage available',
    ...(sum.unprotectedCount ? [`${sum.unprotectedCount} unprotected`] : []),
    ...formatUncounted(report),
    ...formatUnread(report),
    ...formatChanges(report),
    ...formatWorstChange(report.changes),
  ].join(' · ');
}

/** Which policies the share is about: nothing is claimed about the others. */
function formatScope({ readings, unreadCount, failedCount }: ComplianceReading): string {
  const counted = readings.filter(({ statistics }) => hasBothCounts(statistics)).length;
  return unreadCount + failedCount === 0 ? '' : ` in ${policies(counted)}`;
}

function formatUnread({ unreadCount, failedCount }: ComplianceReading): string[] {
  return [
    ...(failedCount > 0 ? [`${policies(failedCount)} unavailable`] : []),
    ...(unreadCount > 0 ? [`${policies(unreadCount)} not checked`] : []),
  ];
}

/** Policies without the counts for a share, with their noncompliant volumes as far as known. */
function formatUncounted({ readings }: ComplianceReading): string[] {
  const none = readings.filter(({ statistics }) => !hasCounts(statistics)).length;
  const partial = readings.filter(
    ({ statistics }) => hasCounts(statistics) && !hasBothCounts(statistics),
  );
  const noncompliant = partial.reduce(
    (sum, { statistics }) => sum + (statistics.nonCompliantCount ?? 0),
    0,
  );
  const known = noncompliant > 0 ? ` (${noncompliant} noncompliant)` : '';
  return [
    ...(partial.length > 0 ? [`${policies(partial.length)} with incomplete data${known}`] : []),
    ...(none > 0 ? [`${policies(none)} without data`] : []),
  ];
}

function formatChanges({
  hasBaseline,
  changes,
  failedCount,
  incomparableCount,
}: ComplianceReading): string[] {
  if (!hasBaseline) return ['no earlier data to compare'];
  const countOf = (kind: PolicyChange['kind']) =>
    changes.filter((change) => change.kind === kind).length;
  const changed = countOf('changed') + countOf('statistics-removed');
  const [added, removed] = [countOf('policy-added'), countOf('policy-removed')];
  const counted = countOf('statistics-added');
  const parts = [
    ...(changed > 0 ? [`${policies(changed)} changed`] : []),
    ...(added > 0 ? [`${policies(added)} added`] : []),
    ...(removed > 0 ? [`${policies(removed)} removed`] : []),
    ...(counted > 0 ? [`${policies(counted)} without earlier data`] : []),
    ...(incomparableCount > 0
      ? [`${policies(incomparableCount)} with counts that can't be compared`]
      : []),
  ];
  if (parts.length > 0) return [parts.join(', ')];
  return failedCount > 0 ? [] : ['unchanged'];
}

function policies(count: number): string {
  return plural(count, 'policy', 'policies');
}

/** The list of compliance shows the others. */
function formatWorstChange([worst, ...others]: PolicyChange[]): string[] {
  if (!worst) return [];
  const change = `${bold(worst.name, 100)}: ${formatChange(worst)}`;
  return others.length > 0 ? [change, '`/belay compliance`'] : [change];
}

function formatChange(change: PolicyChange): string {
  switch (change.kind) {
    case 'policy-removed':
      return 'removed';
    case 'policy-added':
      return ['new', ...formatCounts(change.statistics)].join(', ');
    case 'statistics-removed': {
      const [first, ...more] = formatCounts(change.statistics);
      const last = first ? [[`last ${first}`, ...more].join(', ')] : [];
      return ['no data anymore', ...last].join(', ');
    }
    case 'statistics-added':
      return [...formatCounts(change.statistics), 'no earlier data'].join(', ');
    case 'changed': {
      const counts = change.counts.map(({ count, from, to }) => `${from} → ${to} ${nouns[count]}`);
      return [...counts, ...formatTrend(change.counts)].join(', ');
    }
  }
}

const nouns: Record<CountChange['count'], string> = {
  nonCompliantCount: 'noncompliant',
  unprotectedCount: 'unprotected',
  compliantCount: 'compliant',
  deactivatedCount: 'deactivated',
};

function formatCounts(statistics: PolicySample['statistics']): string[] {
  return (['nonCompliantCount', 'unprotectedCount', 'compliantCount'] as const).flatMap((count) =>
    statistics[count] ? [`${statistics[count]} ${nouns[count]}`] : [],
  );
}

/** Only of counts that are bad in themselves: fewer compliant volumes can be fewer volumes. */
function formatTrend(counts: CountChange[]): string[] {
  const bad = counts.filter(
    ({ count }) => count === 'nonCompliantCount' || count === 'unprotectedCount',
  );
  if (bad.length === 0) return [];
  if (bad.every(({ from, to }) => to > from)) return ['worse'];
  return bad.every(({ from, to }) => to < from) ? ['better'] : [];
}
