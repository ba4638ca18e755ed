import type { Alert } from '../../../src/dataprotection/resources/alerts.ts';
import { everyDeskView } from '../desk/every-desk-view.ts';
import type { Samples } from '../samples.ts';
import { everyClearingView } from './every-clearing-view.ts';
import { everySavedView } from './every-saved-view.ts';
import { everyStateView } from './every-state-view.ts';

/** Owners and snoozes of alerts, saved filters, clearing many, and the desk. */
export function everyAlertView(
  alert: Alert,
  samples: Samples,
  texts: Parameters<typeof everyClearingView>[1],
): Record<string, unknown[]> {
  return {
    ...everyStateView(alert),
    ...everySavedView(texts.search),
    ...everyClearingView(samples.alerts, texts),
    ...everyDeskView(alert, samples),
  };
}
