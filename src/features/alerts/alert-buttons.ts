import type { Alert } from '../../dataprotection/alerts.ts';
import { type Button, button } from '../../slack/blocks.ts';
import { encodeValue, longestCarriedId } from '../../slack/codec.ts';
import { clearActionId, detailsActionId } from './ids.ts';
import { nameOf } from './words.ts';

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
  if (id.length > longestCarriedId) return undefined;
  return button({
    ...{ text, actionId },
    value: encodeValue({ alertId: id, channelId }),
    accessibilityLabel: `${about} ${nameOf(primaryEntity)}`,
  });
}
