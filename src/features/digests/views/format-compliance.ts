import { plural } from '../../../slack/ui/words.ts';
import { formatShare, hasBothCounts, hasCounts, sumStatistics } from '../../compliance/index.ts';
import type { PolicyChange } from '../collect/compare-policies.ts';
import type { ComplianceReport } from '../collect/digest-contents.ts';
import { formatPolicyChanges } from './format-policy-changes.ts';

/** Lines with compliance over all policies, then the policies that changed. */
export function formatCompliance(report: ComplianceReport): string[] {
  switch (report.result) {
    case 'failed':
      return ['*Compliance* · unavailable. Run `/belay compliance` to see why.'];
    case 'no-policies':
      return [
        `*Compliance* · the service ${report.hasBaseline ? 'no longer lists any' : 'lists no'} policies.`,
      ];
    case 'read':
      return [formatSummary(report), ...formatPolicyChanges(report.changes)];
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
