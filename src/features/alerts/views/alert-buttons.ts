import { isCleared } from '../../../dataprotection/resources/alert-filter.ts';
import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import { type Button, button, menu, type StaticSelect } from '../../../slack/ui/blocks.ts';
import { encodeValue, maxIdLength } from '../../../slack/ui/codec.ts';
import { limits } from '../../../slack/ui/limits.ts';
import {
  type AlertSearch,
  alertSearchSchema,
  defaultSearch,
  normalizeText,
} from '../alert-search.ts';
import type { AlertState } from '../store/alert-states.ts';
import { maxTitleLength, nameOf, plainTitle } from './format-alert.ts';
import {
  type AlertValue,
  acknowledgeActionId,
  detailsActionId,
  endSnoozeActionId,
  muteActionId,
  snoozeActionId,
  viewActionId,
  viewBackupsActionId,
  viewPolicyActionId,
} from './ids.ts';

/** An alert as a button names it. */
type NamedAlert = Pick<Alert, 'id' | 'primaryEntity'>;

/** An alert of which only what Belay stores is known. */
export function alertNamed(id: string, title: string): NamedAlert {
  return { id, primaryEntity: { value: title, otherFields: {} } };
}

/**
 * A button about an alert. Screen readers read `label` and the name of the alert's resource. Undefined for
 * an id that is too long for a button.
 */
export function alertButton(
  { id, primaryEntity }: NamedAlert,
  text: string,
  actionId: string,
  value: AlertValue,
  { label = text, style }: { label?: string; style?: 'danger' } = {},
): Button | undefined {
  if (id.length > maxIdLength) return undefined;
  const accessibilityLabel = `${label}: ${nameOf(primaryEntity)}`;
  const named = { text, actionId, value: encodeValue(value), accessibilityLabel };
  return button(style ? { ...named, style } : named);
}

/**
 * Opens the details of an alert. `channelId` is where answers to its modals go, if not to the button's
 * own channel.
 */
export function detailsButton(alert: NamedAlert, channelId?: string): Button | undefined {
  return alertButton(alert, 'View details', detailsActionId, { alertId: alert.id, channelId });
}

/** The value of a button that acts before the alert is read, with the title if there is one, and room for it. */
export function valueWithTitle(value: AlertValue, title: string): AlertValue {
  const named = { ...value, title: title.slice(0, maxTitleLength) || undefined };
  return JSON.stringify(named).length <= limits.actionValue ? named : value;
}

/** Makes the person who clicks it the owner of the alert. Undefined for a cleared alert. */
export function acknowledgeButton(
  alert: Alert,
  where: { channelId?: string | undefined } = {},
): Button | undefined {
  if (isCleared(alert)) return undefined;
  const { id: alertId, raisedCount } = alert;
  const value = valueWithTitle({ alertId, raisedCount, ...where }, plainTitle(alert));
  return alertButton(alert, 'Acknowledge', acknowledgeActionId, value);
}

/** Opens the form of a mute for this search. */
export function newMuteButton(
  text: string,
  value: { search: AlertSearch; channelId: string | undefined },
): Button {
  return button({ text, actionId: muteActionId, value: encodeValue(value) });
}

/** For alerts of this one's type and severity. Undefined if it lacks one of them, or a filter can't hold it. */
export function muteTypeButton(
  { severity, type }: Alert,
  channelId: string | undefined,
): Button | undefined {
  if (!severity || !type || !channelId) return undefined;
  const search = { ...defaultSearch, severities: [severity], types: [type] };
  const filtered = alertSearchSchema.safeParse(search);
  if (!filtered.success) return undefined;
  return newMuteButton('Mute alerts like this…', { search: filtered.data, channelId });
}

/**
 * Snoozes the alert until a time to choose. A button that asks for it, if the id is too long for a menu.
 * Undefined for a cleared alert.
 */
function snoozeMenu(alert: Alert, channelId?: string): Button | StaticSelect | undefined {
  const { id: alertId } = alert;
  if (isCleared(alert) || alertId.length > maxIdLength) return undefined;
  const text = 'Snooze…';
  const options = [
    { value: encodeValue({ alertId, until: '1h' }), text: '1 hour' },
    { value: encodeValue({ alertId, until: 'tomorrow' }), text: 'Until tomorrow 9:00 AM' },
    { value: encodeValue({ alertId }), text: 'Another time…' },
  ];
  if (options.every(({ value }) => value.length <= limits.optionValue))
    return menu({ actionId: snoozeActionId, placeholder: text, options });
  const value = { alertId, channelId };
  return alertButton(alert, text, snoozeActionId, value, { label: 'Snooze alert' });
}

export function endSnoozeButton(alert: NamedAlert, channelId?: string): Button | undefined {
  const value = valueWithTitle({ alertId: alert.id, channelId }, nameOf(alert.primaryEntity));
  return alertButton(alert, 'End snooze', endSnoozeActionId, value);
}

/** *Snooze…*, or *End snooze* of a snoozed alert. */
export function snoozeElement(
  alert: Alert,
  state: AlertState | undefined,
  channelId?: string,
): Button | StaticSelect | undefined {
  return state?.snooze ? endSnoozeButton(alert, channelId) : snoozeMenu(alert, channelId);
}

/**
 * Lists the alerts of a policy: the active ones, or those of another search. Undefined if no filter
 * can hold the policy's name or id.
 */
export function policyAlertsButton(
  { id, name }: { id: string; name: string },
  search: AlertSearch = defaultSearch,
): Button | undefined {
  // A filter is typed text, which can't hold every name. The id then finds most of the alerts.
  for (const policy of [name, id]) {
    const filtered = alertSearchSchema.safeParse({ ...search, policy });
    if (!filtered.success || policy !== normalizeText(policy)) continue;
    return button({
      text: 'View alerts',
      actionId: viewActionId,
      value: encodeValue({ search: filtered.data }),
      accessibilityLabel: `View alerts: ${name}`,
    });
  }
  return undefined;
}

/** Shows a policy. Undefined if its id is missing, or too long for a button. */
export function viewPolicyButton(policy: {
  id?: string | undefined;
  name?: string | undefined;
}): Button | undefined {
  const { id, name = id } = policy;
  if (!id || id.length > maxIdLength) return undefined;
  return button({
    text: 'View policy',
    actionId: viewPolicyActionId,
    value: encodeValue({ policyId: id }),
    accessibilityLabel: `View policy: ${name}`,
  });
}

const maxNameLength = 100;

/** Lists the backups of the volume that the alert is about. Undefined for anything else. */
export function restoreButton({ primaryEntity }: Alert, channelId?: string): Button | undefined {
  const { id: volumeId, type, value } = primaryEntity ?? {};
  if (type !== 'aws_ebs_volume' || !volumeId || volumeId.length > maxIdLength) return undefined;
  return button({
    text: 'Restore…',
    actionId: viewBackupsActionId,
    value: encodeValue({ volumeId, channelId, name: value?.slice(0, maxNameLength) }),
    accessibilityLabel: `Restore: ${nameOf(primaryEntity)}`,
  });
}
