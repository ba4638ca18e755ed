import { isCleared } from '../../../dataprotection/resources/alert-filter.ts';
import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import { mention, moment } from '../../../slack/ui/mrkdwn.ts';
import type { AlertOwner } from '../store/alert-owners.ts';

/** "Owner: @Ana since Nov 21 at 9:41 AM · raised again since". Empty for a cleared alert, which nobody owns. */
export function formatOwner(
  alert: Alert,
  { slackUserId, since, raisedCount = 1 }: AlertOwner,
): string {
  if (isCleared(alert)) return '';
  const owner = `Owner: ${mention(slackUserId)} since ${moment(since)}`;
  return (alert.raisedCount ?? 1) > raisedCount ? `${owner} · raised again since` : owner;
}
