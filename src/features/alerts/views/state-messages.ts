import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import { actionsIfAny, type Message, message, section } from '../../../slack/ui/blocks.ts';
import { bold, mention, moment } from '../../../slack/ui/mrkdwn.ts';
import type { AlertState, AlertStateChange } from '../store/alert-states.ts';
import { alertNamed, detailsButton, endSnoozeButton } from './alert-buttons.ts';
import { formatAlertFacts, formatAlertTitle } from './alert-section.ts';

export type StateOutcome = {
  /** `unchanged`: somebody else was first, or there was nothing to end. */
  result: AlertStateChange['what'] | 'unchanged' | 'was-cleared';
  change: AlertStateChange;
  alertId: string;
  /** As in `AlertState`. */
  title: string;
  /** Afterward. */
  state: AlertState | undefined;
  /** False if messages about the alert can't show the change yet, because it couldn't be read. */
  isShown?: boolean;
};

/** `actor`: who clicked, who sees this message alone. */
export function stateMessage(outcome: StateOutcome, actor: string): Message {
  const { alertId, title, result, state } = outcome;
  const named = alertNamed(alertId, title);
  const { isShown = true } = outcome;
  const later = isShown ? '' : ` ${shownLater}`;
  return message([
    section(`${describe(outcome, actor)}${later}`),
    ...actionsIfAny([
      result === 'snooze' && state?.snooze && endSnoozeButton(named),
      detailsButton(named),
    ]),
  ]);
}

const shownLater =
  "Belay couldn't read the alert from the service, so messages about it will be updated later.";

function describe({ result, change, title, state }: StateOutcome, actor: string): string {
  const what = bold(title, 250);
  if (result === 'was-cleared')
    return `This alert was already cleared: ${what}. Nothing was changed.`;
  if (change.what === 'end-snooze') {
    return result === 'end-snooze'
      ? `The snooze of this alert has ended: ${what}.`
      : `This alert isn't snoozed: ${what}. Nothing was changed.`;
  }
  if (change.what === 'snooze') {
    return `You snoozed this alert until ${moment(change.until)}: ${what}. Belay won't notify anyone about this alert until then, unless it gets worse.`;
  }
  const owner = state?.owner;
  if (!owner) {
    return result === 'release'
      ? `This alert no longer has an owner: ${what}.`
      : `This alert has no owner: ${what}. Nothing was changed.`;
  }
  const isActor = owner.slackUserId === actor;
  if (result === 'acknowledge' || (result === 'assign' && isActor))
    return `You now own this alert: ${what}.`;
  const who = mention(owner.slackUserId);
  if (result === 'assign')
    return `${who} now owns this alert: ${what}. Belay sent them a direct message.`;
  const since = moment(owner.since);
  return isActor
    ? `You already own this alert (since ${since}): ${what}.`
    : `${who} already owns this alert (since ${since}): ${what}. Nothing was changed. To take over, select *View details* and then *Assign…*.`;
}

/** To the new owner. `by`: Slack user id. */
export function assignedMessage(alert: Alert, by: string): Message {
  const title = `${mention(by)} assigned an alert to you.`;
  const lines = [title, formatAlertTitle(alert), formatAlertFacts(alert)].join('\n');
  return message([section(lines, detailsButton(alert))]);
}
