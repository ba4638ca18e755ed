import { bold } from '../../slack/mrkdwn.ts';
import { shareOf } from '../compliance/compliance.ts';
import type { ComplianceNews, PolicyChange } from './digest-contents.ts';
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

function summaryLine(news: ComplianceNews & { result: 'read' }): string {
  const share = shareOf({ ...totalOf(news.readings), otherFields: {} });
  const now = share
    ? `${share.percent} compliant (${share.compliant} of ${share.counted} volumes)`
    : 'the counts do not allow a share in percent';
  return [`*Compliance* · ${now}`, changedText(news), ...unreadText(news)].join(' · ');
}

function unreadText({ unreadCount }: ComplianceNews & { result: 'read' }): string[] {
  if (unreadCount === 0) return [];
  return [unreadCount === 1 ? '1 policy was not read' : `${unreadCount} policies were not read`];
}

function changedText({ hasBefore, changes }: ComplianceNews & { result: 'read' }): string {
  if (!hasBefore) return 'no earlier reading to compare with';
  if (changes.length === 0) return 'as it was';
  return `${changes.length === 1 ? '1 policy' : `${changes.length} policies`} changed`;
}

function changeLines(changes: PolicyChange[]): string[] {
  const shown = changes.slice(0, shownChanges);
  const more = changes.length - shown.length;
  return [
    ...shown.map(
      ({ name, nonCompliantBefore, nonCompliantNow }) =>
        `• ${bold(name, 100)}: ${nonCompliantBefore} → ${nonCompliantNow} non-compliant, ${nonCompliantNow > nonCompliantBefore ? 'worse' : 'better'}`,
    ),
    ...(more > 0 ? [`• and ${more} more: \`/belay compliance\``] : []),
  ];
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
