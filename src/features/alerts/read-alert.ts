import type { CallOptions, ServiceClient } from '../../dataprotection/client.ts';
import { offersOperation } from '../../dataprotection/dialects/find-operation.ts';
import { undefinedIfGone } from '../../dataprotection/http/undefined-if-gone.ts';
import { type Alert, readAlert } from '../../dataprotection/resources/alerts.ts';

/** A change that a person made to an alert through Belay; `by` is a Slack user id. */
export type AlertChange = { by: string; what: 'noted' | 'cleared' };

/** An alert as the service has just returned it to somebody who opened or changed it in Belay. */
export type ObservedAlert = {
  teamId: string;
  connectionId: string;
  alert: Alert;
  /** Set if that person changed it. */
  change?: AlertChange | undefined;
};

/** Alerts of a connection, as they were read for a list or by a watch. */
export type AlertsRead = { teamId: string; connectionId: string; alerts: readonly Alert[] };

/** Takes an alert as it is now, so that messages about it can be updated. Must not throw or block. */
export type ReportAlert = (observed: ObservedAlert) => void;

/** An alert of a workspace, and the client to read it with. */
export type AlertRef = {
  client: ServiceClient;
  connectionId: string;
  teamId: string;
  alertId: string;
};

/**
 * Reads an alert and reports it: a note that was set in the portal need not count as an update, so a
 * poll may never see it. Undefined when the alert is gone.
 * @throws {ServiceError}
 */
export async function readAndReport(
  { client, connectionId, teamId, alertId }: AlertRef,
  report: ReportAlert,
): Promise<Alert | undefined> {
  const alert = await undefinedIfGone(readAlert(client, alertId));
  if (alert) report({ teamId, connectionId, alert });
  return alert;
}

/** Whether the service has an operation to change alerts; true if that can't be found out. */
export function supportsAlertChanges(
  client: ServiceClient,
  options?: CallOptions,
): Promise<boolean> {
  return offersOperation(client, 'updateAlert', options);
}
