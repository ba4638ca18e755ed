import { bold } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';
import type { ComplianceWatch } from '../compliance/compliance-watch.ts';

/** "more than 3 noncompliant volumes in *Gold*": what a watch posts, in mrkdwn. */
export function formatComplianceWatch({
  policy,
  maxCount,
}: Pick<ComplianceWatch, 'policy' | 'maxCount'>): string {
  return `more than ${plural(maxCount, 'noncompliant volume')} in ${bold(policy.name, 150)}`;
}

/** The current count, for somebody who adds a watch. */
export function formatCountNow({
  policy,
  maxCount,
  count,
}: Pick<ComplianceWatch, 'policy' | 'maxCount'> & { count: number | undefined }): string {
  const name = bold(policy.name, 150);
  if (count === undefined) return `The service has no data for ${name} now.`;
  const now = `${name} has ${plural(count, 'noncompliant volume')} now`;
  return count > maxCount
    ? `${now}, which is already above the limit. The next message is posted when the number rises above ${maxCount} again.`
    : `${now}.`;
}
