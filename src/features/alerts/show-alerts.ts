import type { Clock } from '../../clock.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import { notConnected, type OpenService, type ServiceRef } from '../workspaces/index.ts';
import { type AlertQuery, findAlerts } from './find-alerts.ts';
import type { KnownValues } from './known-values.ts';
import type { AlertsRead } from './read-alert.ts';
import { alertListMessage } from './views/alert-list-message.ts';

/** The limit of a search. */
const searchMs = 8000;
/** How long a search continues to count after its page is full. */
const defaultCountMs = 700;
const maxServicePages = 200;

export type ShowAlertsDependencies = {
  openService: OpenService;
  knownValues: KnownValues;
  /** Called with the alerts that a search found, before they are shown. */
  onAlertsRead?: ((read: AlertsRead) => Promise<void>) | undefined;
  clock: Clock;
  countMs?: number | undefined;
};

/** The list of alerts that a search finds, one page of it. @throws {ServiceError} */
export async function showAlerts(
  { teamId, connection }: ServiceRef,
  query: AlertQuery,
  dependencies: ShowAlertsDependencies,
): Promise<Message> {
  const { openService, knownValues, onAlertsRead, clock, countMs = defaultCountMs } = dependencies;
  const service = await openService(teamId, connection);
  if (!service) return notConnected;
  const now = clock();
  const found = await findAlerts(service.client, query, {
    now,
    signal: AbortSignal.timeout(searchMs),
    stopCounting: AbortSignal.timeout(countMs),
    maxServicePages,
  });
  const { connectionId } = service;
  knownValues.seeList(teamId, found.matched);
  await onAlertsRead?.({ teamId, connectionId, alerts: found.matched });
  return alertListMessage(found, service.portalUrl);
}
