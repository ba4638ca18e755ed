import { shareOf } from '../compliance/compliance.ts';
import type { PolicySample } from './compliance-samples.ts';
import type { ComplianceNews, PolicyChange } from './digest-contents.ts';
import { policyChangeLines } from './policy-change-lines.ts';

/** Compliance over all policies, then those that changed. */
export function complianceLines(news: ComplianceNews): string[] {
  switch (news.result) {
    case 'failed':
      return ['*Compliance* · could not be read now. `/belay compliance` tells why.'];
    case 'no-policies':
      return [
        `*Compliance* · the service ${news.hasBefore ? 'no longer lists any' : 'lists no'} policies.`,
      ];
    case 'read':
      return [summaryLine(news), ...policyChangeLines(news.changes)];
  }
}

type Read = ComplianceNews & { result: 'read' };

function summaryLine(news: Read): string {
  const share = shareOf({ ...totalOf(news.readings), otherFields: {} });
  const now = share
    ? `${share.percent} compliant (${share.compliant} of ${share.counted} volumes)${reachText(news)}`
    : 'the counts do not allow a share in percent';
  return [`*Compliance* · ${now}`, ...changedText(news), ...unreadText(news)].join(' · ');
}

/** What was not read may be kept in any way. */
function reachText({ readings, unreadCount, failedCount }: Read): string {
  if (unreadCount + failedCount === 0) return '';
  const count = readings.length;
  return ` in the ${count === 1 ? 'one policy that was' : `${count} policies that were`} read`;
}

function unreadText({ unreadCount, failedCount }: Read): string[] {
  return [
    ...(failedCount > 0 ? [`${policies(failedCount)} could not be read`] : []),
    ...(unreadCount > 0
      ? [`${policies(unreadCount)} ${unreadCount === 1 ? 'was' : 'were'} not read`]
      : []),
  ];
}

function changedText({ hasBefore, changes, failedCount }: Read): string[] {
  if (!hasBefore) return ['no earlier reading to compare with'];
  const countOf = (kind: PolicyChange['kind']) =>
    changes.filter((change) => change.kind === kind).length;
  const [changed, fresh, gone] = [countOf('changed'), countOf('new'), countOf('gone')];
  const counted = countOf('counted');
  const parts = [
    ...(changed > 0 ? [`${policies(changed)} changed`] : []),
    ...(fresh > 0 ? [`${policies(fresh)} added`] : []),
    ...(gone > 0 ? [`${policies(gone)} gone`] : []),
    ...(counted > 0 ? [`${policies(counted)} with no earlier numbers`] : []),
  ];
  if (parts.length > 0) return [parts.join(', ')];
  return failedCount > 0 ? [] : ['as it was'];
}

function policies(count: number): string {
  return count === 1 ? '1 policy' : `${count} policies`;
}

/** Over the policies of which the service tells both numbers. */
function totalOf(readings: PolicySample[]) {
  let [compliantCount, nonCompliantCount] = [0, 0];
  for (const { statistics } of readings) {
    if (statistics.compliantCount === undefined) continue;
    if (statistics.nonCompliantCount === undefined) continue;
    compliantCount += statistics.compliantCount;
    nonCompliantCount += statistics.nonCompliantCount;
  }
  return { compliantCount, nonCompliantCount };
}
