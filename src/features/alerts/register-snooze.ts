import type { Clock } from '../../clock.ts';
import type { Alert } from '../../dataprotection/resources/alerts.ts';
import { addDays } from '../../dates.ts';
import type {
  ActionInteraction,
  ActionResponse,
  Interaction,
} from '../../slack/interactions/interaction.ts';
import type { Listeners } from '../../slack/interactions/listeners.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import type { ModalView } from '../../slack/ui/modal.ts';
import { readUntil } from './read-until.ts';
import type { AlertStateChange } from './store/alert-states.ts';
import { type AlertValue, endSnoozeActionId, snoozeActionId, snoozeValue } from './views/ids.ts';
import { maxSnoozeDays, snoozeForm, snoozeModal } from './views/snooze-form.ts';

const typed = { '1h': '1h', tomorrow: 'tomorrow 9:00' };

/** *Snooze…*, its form, and *End snooze*: for operators. */
export function registerSnooze(
  listeners: Listeners,
  {
    clock,
    refuse,
    openAboutAlert,
    changeAndShow,
    changeAndTell,
  }: {
    clock: Clock;
    refuse: (call: Interaction, alertId: string) => Promise<string | undefined>;
    openAboutAlert: (
      call: ActionInteraction<AlertValue>,
      render: (alert: Alert, origin: { channelId: string | undefined }) => ModalView,
      refuse: () => Promise<string | undefined>,
    ) => Promise<ActionResponse | undefined>;
    changeAndShow: (
      call: ActionInteraction<AlertValue>,
      change: AlertStateChange,
    ) => Promise<ActionResponse | undefined>;
    changeAndTell: (
      call: Interaction,
      alertId: string,
      change: AlertStateChange,
    ) => Promise<Message>;
  },
): void {
  listeners.action(snoozeActionId, snoozeValue, async (call) => {
    const { value, person } = call;
    const mayNot = () => refuse(call, value.alertId);
    const until = value.until && readUntil(typed[value.until], clock(), person.timeZone);
    if (!until) {
      return openAboutAlert(
        call,
        (alert, { channelId }) => snoozeModal(alert, channelId, person.timeZone),
        mayNot,
      );
    }
    const refusal = await mayNot();
    if (refusal !== undefined) return { reply: notice(refusal) };
    return changeAndShow(call, { what: 'snooze', by: person.slackUserId, until });
  });

  listeners.action(endSnoozeActionId, snoozeValue, async (call) => {
    const refusal = await refuse(call, call.value.alertId);
    if (refusal !== undefined) return { reply: notice(refusal) };
    return changeAndShow(call, { what: 'end-snooze' });
  });

  const readTyped = (text: string, timeZone: string | undefined) => {
    const now = clock();
    const until = readUntil(text, now, timeZone);
    return until && until <= addDays(now, maxSnoozeDays) ? until : undefined;
  };

  listeners.form(snoozeForm, {
    check: ({ until }, { timeZone }) => ({
      until: readTyped(until, timeZone) ? undefined : unreadable,
    }),
    async run(call) {
      const { entered, metadata, person } = call;
      const refusal = await refuse(call, metadata.alertId);
      if (refusal !== undefined) return notice(refusal);
      const until = readTyped(entered.until, metadata.timeZone);
      if (!until) return notice(`${unreadable} Nothing was changed.`);
      return changeAndTell(call, metadata.alertId, {
        what: 'snooze',
        by: person.slackUserId,
        until,
      });
    },
  });
}

const unreadable = `Enter a time within the next ${maxSnoozeDays} days, such as 3h, tomorrow or friday 14:00.`;
