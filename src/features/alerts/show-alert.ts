import { NotFoundError } from '../../dataprotection/http/errors.ts';
import { type Alert, readAlert } from '../../dataprotection/resources/alerts.ts';
import type { Service } from '../workspaces/index.ts';

/** What somebody did to an alert through Belay; `by` is a Slack user id. */
export type Deed = { by: string; what: 'noted' | 'cleared' };

/** An alert as the service has just given it to somebody who looked at it or changed it in Belay. */
export type ShownAlert = {
  teamId: string;
  connectionId: string;
  alert: Alert;
  /** If they changed it. */
  deed?: Deed | undefined;
};

/** Given an alert as it is now, for others to see it too. Must neither throw nor take long. */
export type ShowChange = (shown: ShownAlert) => void;

/** An alert of a workspace, with what it is asked for from. */
export type AlertRef = Pick<Service, 'client' | 'connectionId'> & {
  teamId: string;
  alertId: string;
};

/** Undefined when it is gone. A note that was set elsewhere is found out here, and nowhere else. */
export async function readToShow(
  { client, connectionId, teamId, alertId }: AlertRef,
  show: ShowChange,
): Promise<Alert | undefined> {
  const alert = await existing(readAlert(client, alertId));
  if (alert) show({ teamId, connectionId, alert });
  return alert;
}

export async function existing<Found>(reading: Promise<Found>): Promise<Found | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
