import type { Alert } from '../../../src/dataprotection/resources/alerts.ts';
import { everyClearingView } from './every-clearing-view.ts';
import { everyOwnerView } from './every-owner-view.ts';
import { everySavedView } from './every-saved-view.ts';

/** Owners of alerts, saved filters, and clearing many. */
export function everyDeskView(
  alert: Alert,
  alerts: Alert[],
  texts: Parameters<typeof everyClearingView>[1],
): Record<string, unknown[]> {
  return {
    ...everyOwnerView(alert),
    ...everySavedView(texts.search),
    ...everyClearingView(alerts, texts),
  };
}
