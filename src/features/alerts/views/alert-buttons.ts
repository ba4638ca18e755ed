import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import { type Button, button } from '../../../slack/ui/blocks.ts';
import { encodeValue, maxIdLength } from '../../../slack/ui/codec.ts';
import { nameOf } from './format-alert.ts';
import { clearActionId, detailsActionId } from './ids.ts';

/**
 * Opens the details of an alert. `channelId` is where answers to its modals go, if not to the button's
 * own channel. Undefined for an id that is too long for a button.
 */
export function detailsButton(alert: Alert, channelId?: string): Button | undefined {
  const label = { text: 'Details', actionId: detailsActionId, about: 'Details of the alert about' };
  return alertButton(alert, channelId, label);
}

/** Opens the confirmation to clear an alert; rights are checked when it is pressed. */
export function clearButton(alert: Alert, channelId?: string): Button | undefined {
  const label = { text: 'Clear…', actionId: clearActionId, about: 'Clear the alert about' };
  return alertButton(alert, channelId, label);
}

function alertButton(
  { id, primaryEntity }: Alert,
  channelId: string | undefined,
  { text, actionId, about }: { text: string; actionId: string; about: string },
): Button | undefined {
  if (id.length > maxIdLength) return undefined;
  return button({
    ...{ text, actionId },
    value: encodeValue({ alertId: id, channelId }),
    accessibilityLabel: `${about} ${nameOf(primaryEntity)}`,
  });
}
