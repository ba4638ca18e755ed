import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import { actionsIfAny, type Message, message, section } from '../../../slack/ui/blocks.ts';
import { commandButton } from '../../../slack/ui/command-button.ts';
import { mention } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';
import { unownedAlertRow } from '../../alerts/index.ts';
import { formatAfter, type Reminder } from '../reminders/reminder.ts';

const maxShown = 3;

/** For the channel: how many of the errors that were posted there have no owner, and the oldest ones. */
export function errorReminderMessage(
  { group, ...reminder }: Reminder,
  { count, alerts }: { count: number; alerts: Alert[] },
): Message {
  const title = `*${plural(count, 'error')} without an owner* · posted here more than ${formatAfter(reminder)} ago`;
  const whom = group === undefined ? '' : `${mention(group)} `;
  const shown = alerts.slice(0, maxShown);
  const oldest = count > shown.length && shown.length > 0 ? ` The ${shown.length} oldest:` : '';
  return message([
    section(`${title}\n${whom}Select *Acknowledge* to become the owner of an alert.${oldest}`),
    ...shown.flatMap(unownedAlertRow),
    ...actionsIfAny([commandButton({ text: 'View desk', line: 'desk' })]),
  ]);
}
