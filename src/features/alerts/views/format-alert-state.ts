import { isCleared } from '../../../dataprotection/resources/alert-filter.ts';
import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import { mention, moment } from '../../../slack/ui/mrkdwn.ts';
import type { AlertState } from '../store/alert-states.ts';

/**
 * "Owner: @Ana since Nov 21 at 9:41 AM · raised again since" and "Snoozed until Nov 22 at 9:00 AM by @Ana".
 * None for a cleared alert, which nobody owns.
 */
export function formatAlertState(alert: Alert, state: AlertState | undefined): string[] {
  if (isCleared(alert) || !state) return [];
  const { owner, snooze } = state;
  return [...(owner ? [formatOwner(alert, owner)] : []), ...(snooze ? [formatSnooze(snooze)] : [])];
}

function formatOwner(
  alert: Alert,
  { slackUserId, since, raisedCount }: NonNullable<AlertState['owner']>,
): string {
  const owner = `Owner: ${mention(slackUserId)} since ${moment(since)}`;
  const isRaisedAgain = raisedCount !== undefined && (alert.raisedCount ?? 1) > raisedCount;
  return isRaisedAgain ? `${owner} · raised again since` : owner;
}

export function formatSnooze({ until, by }: NonNullable<AlertState['snooze']>): string {
  return `Snoozed until ${moment(until)} by ${mention(by)}`;
}
