import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import { type Button, button } from '../../../slack/ui/blocks.ts';
import { encodeValue, maxIdLength } from '../../../slack/ui/codec.ts';
import { defaultSearch, maxValueLength, normalizeText } from '../alert-search.ts';
import { nameOf } from './format-alert.ts';
import { clearActionId, detailsActionId, viewActionId } from './ids.ts';

/**
 * Opens the details of an alert. `channelId` is where answers to its modals go, if not to the button's
 * own channel. Undefined for an id that is too long for a button.
 */
export function detailsButton(alert: Alert, channelId?: string): Button | undefined {
  return alertButton(alert, channelId, { text: 'View details', actionId: detailsActionId });
}

/** Opens the confirmation to clear an alert; rights are checked when it is pressed. */
export function clearButton(alert: Alert, channelId?: string): Button | undefined {
  return alertButton(alert, channelId, { text: 'Clear alert', actionId: clearActionId });
}

function alertButton(
  { id, primaryEntity }: Alert,
  channelId: string | undefined,
  { text, actionId }: { text: string; actionId: string },
): Button | undefined {
  if (id.length > maxIdLength) return undefined;
  return button({
    ...{ text, actionId },
    value: encodeValue({ alertId: id, channelId }),
    accessibilityLabel: `${text}: ${nameOf(primaryEntity)}`,
  });
}

/** Lists the active alerts of a policy, for messages about that policy. */
export function policyAlertsButton({ id, name }: { id: string; name: string }): Button | undefined {
  // A filter is typed text, which can't hold every name. The id then finds most of the alerts.
  const policy = [name, id].find((text) => text === normalizeText(text) && isShort(text));
  if (!policy) return undefined;
  return button({
    text: 'View alerts',
    actionId: viewActionId,
    value: encodeValue({ search: { ...defaultSearch, policy } }),
    accessibilityLabel: `View alerts: ${name}`,
  });
}

function isShort({ length }: string): boolean {
  return length > 0 && length <= maxValueLength;
}
