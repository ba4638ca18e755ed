import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import { actions, type Message, message, section } from '../../../slack/ui/blocks.ts';
import { defineForm } from '../../../slack/ui/form.ts';
import { personField } from '../../../slack/ui/form-fields.ts';
import type { ModalView } from '../../../slack/ui/modal.ts';
import { bold, mention, moment, safe } from '../../../slack/ui/mrkdwn.ts';
import type { AlertOwner } from '../store/alert-owners.ts';
import { detailsButton } from './alert-buttons.ts';
import { alertHeading, formatAlertFacts, formatAlertTitle } from './alert-section.ts';
import { nameOf, problemOf } from './format-alert.ts';
import { alertValue } from './ids.ts';

export type OwnerOutcome = {
  /** `unchanged`: somebody else was first, or there was no owner. */
  result: 'acknowledge' | 'assign' | 'release' | 'unchanged' | 'was-cleared';
  alert: Alert;
  /** Afterward. */
  owner?: AlertOwner | undefined;
};

/** `actor`: who clicked, who sees this message alone. */
export function ownerMessage(outcome: OwnerOutcome, actor: string): Message {
  const details = detailsButton(outcome.alert);
  const lines = section(describe(outcome, actor));
  return message([lines, ...(details ? [actions([details])] : [])]);
}

function describe({ result, alert, owner }: OwnerOutcome, actor: string): string {
  const what = `${bold(nameOf(alert.primaryEntity), 100)} (${safe(problemOf(alert), 150)})`;
  if (result === 'was-cleared')
    return `This alert was already cleared: ${what}. Nothing was changed.`;
  if (!owner) {
    return result === 'release'
      ? `This alert has no owner any more: ${what}.`
      : `This alert has no owner: ${what}. Nothing was changed.`;
  }
  const isActor = owner.slackUserId === actor;
  if (result === 'acknowledge' || (result === 'assign' && isActor))
    return `You own this alert now: ${what}.`;
  const who = mention(owner.slackUserId);
  if (result === 'assign')
    return `${who} owns this alert now: ${what}. Belay sent them a direct message.`;
  const since = moment(owner.since);
  return isActor
    ? `You already own this alert, since ${since}: ${what}.`
    : `${who} already owns this alert, since ${since}: ${what}. Nothing was changed. To take over, select *View details* and then *Assign…*.`;
}

/** To the new owner. `by`: Slack user id. */
export function assignedMessage(alert: Alert, by: string): Message {
  const title = `${mention(by)} assigned an alert to you.`;
  const lines = [title, formatAlertTitle(alert), formatAlertFacts(alert)].join('\n');
  return message([section(lines, detailsButton(alert))]);
}

export const assignForm = defineForm('alerts.assign', {
  metadata: alertValue,
  fields: {
    person: personField({ label: 'Owner', hint: 'Belay sends them a direct message.' }),
  },
});

export function assignModal(
  alert: Alert,
  channelId: string | undefined,
  owner: AlertOwner | undefined,
): ModalView {
  return assignForm.modal({
    title: 'Assign alert',
    submit: 'Assign',
    metadata: { alertId: alert.id, channelId },
    blocks: [alertHeading(alert), assignForm.fields.person.block(owner?.slackUserId)],
  });
}
