import { shareOf } from '../../compliance/index.ts';
import type { PolicySample } from '../compliance-samples.ts';
import type { ComplianceNews, PolicyChange } from '../digest-contents.ts';
import { hasBothCounts, hasNumbers } from '../policy-numbers.ts';
import { policyChangeLines } from './format-policy-changes.ts';

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
    ? [
        `${share.percent} compliant (${share.compliant} of ${share.counted} volumes)${reachText(news)}`,
      ]
    : ['the counts do not allow a share in percent', ...shareless(news, '')];
  const told = [...now, ...changedText(news), ...unreadText(news)];
  return ['*Compliance*', ...told].join(' · ');
}

/** What was not read, or not told, may be kept in any way. */
function reachText(news: Read): string {
  const { length: count } = news.readings;
  const isAllRead = news.unreadCount + news.failedCount === 0;
  const which = count === 1 ? 'one policy that was' : `${count} policies that were`;
  const left = shareless(news, ' that').join(' and ');
  return `${isAllRead ? '' : ` in the ${which} read`}${left && `, not counting ${left}`}`;
}

function unreadText({ unreadCount, failedCount }: Read): string[] {
  return [
    ...(failedCount > 0 ? [`${policies(failedCount)} could not be read`] : []),
    ...(unreadCount > 0
      ? [`${policies(unreadCount)} ${unreadCount === 1 ? 'was' : 'were'} not read`]
      : []),
  ];
}

/** Of those that are in no share. What is known to be wrong in them is told all the same. */
function shareless({ readings }: Read, that: '' | ' that'): string[] {
  const none = readings.filter(({ statistics }) => !hasNumbers(statistics)).length;
  const partly = readings.filter(
    ({ statistics }) => hasNumbers(statistics) && !hasBothCounts(statistics),
  );
  const wrong = partly.reduce(
    (sum, { statistics }) => sum + (statistics.nonCompliantCount ?? 0),
    0,
  );
  const known = wrong > 0 ? ` (${wrong} non-compliant)` : '';
  const [tell, their] = partly.length === 1 ? ['tells', 'its'] : ['tell', 'their'];
  const have = none === 1 ? 'has' : 'have';
  return [
    ...(partly.length > 0
      ? [`${policies(partly.length)}${that} ${tell} only a part of ${their} counts${known}`]
      : []),
    ...(none > 0 ? [`${policies(none)}${that} ${have} no statistics`] : []),
  ];
}

function changedText({ hasBefore, changes, failedCount, otherwiseCount }: Read): string[] {
  if (!hasBefore) return ['no earlier reading to compare with'];
  const countOf = (kind: PolicyChange['kind']) =>
    changes.filter((change) => change.kind === kind).length;
  const changed = countOf('changed') + countOf('uncounted');
  const [fresh, gone, counted] = [countOf('new'), countOf('gone'), countOf('counted')];
  const tell = otherwiseCount === 1 ? 'tells' : 'tell';
  const parts = [
    ...(changed > 0 ? [`${policies(changed)} changed`] : []),
    ...(fresh > 0 ? [`${policies(fresh)} added`] : []),
    ...(gone > 0 ? [`${policies(gone)} gone`] : []),
    ...(counted > 0 ? [`${policies(counted)} with no earlier numbers`] : []),
    ...(otherwiseCount > 0 ? [`${policies(otherwiseCount)} ${tell} other counts than before`] : []),
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
    if (!hasBothCounts(statistics)) continue;
    compliantCount += statistics.compliantCount ?? 0;
    nonCompliantCount += statistics.nonCompliantCount ?? 0;
  }
  return { compliantCount, nonCompliantCount };
}
