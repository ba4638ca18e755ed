import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import { actions, type Message, message, section } from '../../../slack/ui/blocks.ts';
import { commandButton } from '../../../slack/ui/command-button.ts';
import { mention } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';
import { acknowledgeButton, detailsButton, formatAlertLine } from '../../alerts/index.ts';
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
  const all = commandButton({ text: 'View desk', line: 'desk' });
  return message([
    section(`${title}\n${whom}Select *Acknowledge* to become the owner of an alert.${oldest}`),
    ...shown.flatMap((alert) => {
      const buttons = [acknowledgeButton(alert), detailsButton(alert)];
      const offered = buttons.filter((one) => one !== undefined);
      return [section(formatAlertLine(alert)), ...(offered.length > 0 ? [actions(offered)] : [])];
    }),
    ...(all ? [actions([all])] : []),
  ]);
}
