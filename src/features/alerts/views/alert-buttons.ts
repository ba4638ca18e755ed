import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import { type Button, button } from '../../../slack/ui/blocks.ts';
import { encodeValue, maxIdLength } from '../../../slack/ui/codec.ts';
import { nameOf } from './format-alert.ts';
import { clearActionId, detailsActionId } from './ids.ts';

/**
 * Opens all of an alert; `channelId` is where the answers to its forms go, if not where the button
 * is. Undefined for an id that no button can carry.
 */
export function detailsButton(alert: Alert, channelId?: string): Button | undefined {
  const look = { text: 'Details', actionId: detailsActionId, about: 'Details of the alert about' };
  return alertButton(alert, channelId, look);
}

/** Asks whether to clear an alert; who may is judged when it is pressed. Else as `detailsButton`. */
export function clearButton(alert: Alert, channelId?: string): Button | undefined {
  const look = { text: 'Clear…', actionId: clearActionId, about: 'Clear the alert about' };
  return alertButton(alert, channelId, look);
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
