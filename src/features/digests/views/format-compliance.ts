import { plural } from '../../../slack/ui/words.ts';
import { calculateShare } from '../../compliance/index.ts';
import type { PolicyChange } from '../collect/compare-policies.ts';
import type { ComplianceReport } from '../collect/digest-contents.ts';
import { hasBothCounts, hasCounts, type PolicySample } from '../collect/policy-sample.ts';
import { formatPolicyChanges } from './format-policy-changes.ts';

/** Lines with compliance over all policies, then the policies that changed. */
export function formatCompliance(report: ComplianceReport): string[] {
  switch (report.result) {
    case 'failed':
      return ['*Compliance* · could not be read now. `/belay compliance` tells why.'];
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
  const share = calculateShare({ ...sumCounts(report.readings), otherFields: {} });
  const now = share
    ? [
        `${share.percent} compliant (${share.compliant} of ${share.counted} volumes)${formatScope(report)}`,
      ]
    : ['the counts do not allow a share in percent', ...formatUncounted(report, '')];
  return ['*Compliance*', ...now, ...formatChanges(report), ...formatUnread(report)].join(' · ');
}

/** Which policies the share is about: nothing is claimed about the others. */
function formatScope(report: ComplianceReading): string {
  const { length: count } = report.readings;
  const isAllRead = report.unreadCount + report.failedCount === 0;
  const which = count === 1 ? 'one policy that was' : `${count} policies that were`;
  const left = formatUncounted(report, ' that').join(' and ');
  return `${isAllRead ? '' : ` in the ${which} read`}${left && `, not counting ${left}`}`;
}

function formatUnread({ unreadCount, failedCount }: ComplianceReading): string[] {
  return [
    ...(failedCount > 0 ? [`${policies(failedCount)} could not be read`] : []),
    ...(unreadCount > 0
      ? [`${policies(unreadCount)} ${unreadCount === 1 ? 'was' : 'were'} not read`]
      : []),
  ];
}

/** Policies without the counts for a share, with their non-compliant volumes as far as known. */
function formatUncounted({ readings }: ComplianceReading, that: '' | ' that'): string[] {
  const none = readings.filter(({ statistics }) => !hasCounts(statistics)).length;
  const partial = readings.filter(
    ({ statistics }) => hasCounts(statistics) && !hasBothCounts(statistics),
  );
  const wrong = partial.reduce(
    (sum, { statistics }) => sum + (statistics.nonCompliantCount ?? 0),
    0,
  );
  const known = wrong > 0 ? ` (${wrong} non-compliant)` : '';
  const [tell, their] = partial.length === 1 ? ['tells', 'its'] : ['tell', 'their'];
  const have = none === 1 ? 'has' : 'have';
  return [
    ...(partial.length > 0
      ? [`${policies(partial.length)}${that} ${tell} only a part of ${their} counts${known}`]
      : []),
    ...(none > 0 ? [`${policies(none)}${that} ${have} no statistics`] : []),
  ];
}

function formatChanges({
  hasBaseline,
  changes,
  failedCount,
  incomparableCount,
}: ComplianceReading): string[] {
  if (!hasBaseline) return ['no earlier reading to compare with'];
  const countOf = (kind: PolicyChange['kind']) =>
    changes.filter((change) => change.kind === kind).length;
  const changed = countOf('changed') + countOf('statistics-removed');
  const [added, removed] = [countOf('policy-added'), countOf('policy-removed')];
  const counted = countOf('statistics-added');
  const tell = incomparableCount === 1 ? 'tells' : 'tell';
  const parts = [
    ...(changed > 0 ? [`${policies(changed)} changed`] : []),
    ...(added > 0 ? [`${policies(added)} added`] : []),
    ...(removed > 0 ? [`${policies(removed)} gone`] : []),
    ...(counted > 0 ? [`${policies(counted)} with no earlier numbers`] : []),
    ...(incomparableCount > 0
      ? [`${policies(incomparableCount)} ${tell} other counts than before`]
      : []),
  ];
  if (parts.length > 0) return [parts.join(', ')];
  return failedCount > 0 ? [] : ['as it was'];
}

function policies(count: number): string {
  return plural(count, 'policy', 'policies');
}

/** Over the policies that have both counts. */
function sumCounts(readings: PolicySample[]) {
  let [compliantCount, nonCompliantCount] = [0, 0];
  for (const { statistics } of readings) {
    if (!hasBothCounts(statistics)) continue;
    compliantCount += statistics.compliantCount ?? 0;
    nonCompliantCount += statistics.nonCompliantCount ?? 0;
  }
  return { compliantCount, nonCompliantCount };
}
