import { bold } from '../../slack/mrkdwn.ts';
import { shareOf } from '../compliance/compliance.ts';
import type { ComplianceNews, CountChange, PolicyChange } from './digest-contents.ts';
import type { PolicySample } from './digest-store.ts';

const shownChanges = 5;

/** Compliance over all policies, then those that changed. */
export function complianceLines(news: ComplianceNews): string[] {
  switch (news.result) {
    case 'failed':
      return ['*Compliance* · could not be read now. `/belay compliance` tells why.'];
    case 'no-policies':
      return ['*Compliance* · the service lists no policies.'];
    case 'read':
      return [summaryLine(news), ...changeLines(news.changes)];
  }
}

type Read = ComplianceNews & { result: 'read' };

function summaryLine(news: Read): string {
  const share = shareOf({ ...totalOf(news.readings), otherFields: {} });
  const now = share
    ? `${share.percent} compliant (${share.compliant} of ${share.counted} volumes)`
    : 'the counts do not allow a share in percent';
  return [
    `*Compliance* · ${now}${reachText(news)}`,
    ...changedText(news),
    ...unreadText(news),
  ].join(' · ');
}

/** What was not read may be kept in any way. */
function reachText({ readings, unreadCount, failedCount }: Read): string {
  if (unreadCount + failedCount === 0) return '';
  return ` in the ${policies(readings.length)} that ${were(readings.length)} read`;
}

function unreadText({ unreadCount, failedCount }: Read): string[] {
  return [
    ...(failedCount > 0 ? [`${policies(failedCount)} could not be read`] : []),
    ...(unreadCount > 0 ? [`${policies(unreadCount)} ${were(unreadCount)} not read`] : []),
  ];
}

function changedText({ hasBefore, changes, failedCount }: Read): string[] {
  if (!hasBefore) return ['no earlier reading to compare with'];
  const countOf = (kind: PolicyChange['kind']) =>
    changes.filter((change) => change.kind === kind).length;
  const [changed, fresh, gone] = [countOf('changed'), countOf('new'), countOf('gone')];
  const parts = [
    ...(changed > 0 ? [`${policies(changed)} changed`] : []),
    ...(fresh > 0 ? [`${policies(fresh)} added`] : []),
    ...(gone > 0 ? [`${policies(gone)} gone`] : []),
  ];
  if (parts.length > 0) return [parts.join(', ')];
  return failedCount > 0 ? [] : ['as it was'];
}

function policies(count: number): string {
  return count === 1 ? '1 policy' : `${count} policies`;
}

function were(count: number): string {
  return count === 1 ? 'was' : 'were';
}

function changeLines(changes: PolicyChange[]): string[] {
  const shown = changes.slice(0, shownChanges);
  const more = changes.length - shown.length;
  return [
    ...shown.map((change) => `• ${bold(change.name, 100)}: ${changeText(change)}`),
    ...(more > 0 ? [`• and ${more} more: \`/belay compliance\``] : []),
  ];
}

function changeText(change: PolicyChange): string {
  switch (change.kind) {
    case 'gone':
      return 'gone';
    case 'new':
      return ['new', ...standText(change.statistics)].join(', ');
    case 'changed': {
      const told = change.counts.map(({ count, from, to }) => `${from} → ${to} ${nouns[count]}`);
      return [...told, ...verdict(change.counts)].join(', ');
    }
  }
}

const nouns: Record<CountChange['count'], string> = {
  nonCompliantCount: 'non-compliant',
  unprotectedCount: 'not protected',
  compliantCount: 'compliant',
  deactivatedCount: 'deactivated',
};

function standText(statistics: PolicySample['statistics']): string[] {
  return (['nonCompliantCount', 'unprotectedCount', 'compliantCount'] as const).flatMap((count) =>
    statistics[count] ? [`${statistics[count]} ${nouns[count]}`] : [],
  );
}

/** Of what is bad in itself: fewer compliant volumes can be fewer volumes. */
function verdict(counts: CountChange[]): string[] {
  const bad = counts.filter(
    ({ count }) => count === 'nonCompliantCount' || count === 'unprotectedCount',
  );
  if (bad.length === 0) return [];
  if (bad.every(({ from, to }) => to > from)) return ['worse'];
  return bad.every(({ from, to }) => to < from) ? ['better'] : [];
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
