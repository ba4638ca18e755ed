import type { AuditEntry } from '../../audit-log/entry.ts';
import type { OnConnection } from '../../database/connection-origin.ts';
import { ServiceError } from '../../dataprotection/http/errors.ts';
import { undefinedIfGone } from '../../dataprotection/http/undefined-if-gone.ts';
import { isCleared } from '../../dataprotection/resources/alert-filter.ts';
import { type Alert, readAlert } from '../../dataprotection/resources/alerts.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import { alertKey } from './alert-key.ts';
import type { AlertRef, ReportAlert } from './read-alert.ts';
import type { AlertState, AlertStateChange, AlertStates } from './store/alert-states.ts';
import { nameOf, plainTitle, problemOf } from './views/format-alert.ts';
import { assignedMessage, type StateOutcome } from './views/state-messages.ts';

/**
 * Changes who owns an alert, or its snooze, with an entry in the audit log, and edits the messages about
 * the alert. `directMessage` is for the new owner.
 */
export type ChangeAlertState = (input: {
  teamId: string;
  connectionId: string;
  originId: string;
  alert: Alert;
  readAt: Date;
  at: Date;
  change: AlertStateChange;
  entry: AuditEntry;
  directMessage: Message | undefined;
}) => Promise<{
  isChanged: boolean;
  /** Messages show a later reading, without the change. */
  isOutdated: boolean;
  /** Afterward. */
  state: AlertState | undefined;
}>;

/** Deletes what is stored of an alert that the service doesn't have anymore. */
export type ForgetAlert = (of: OnConnection, key: string) => Promise<void>;

const events = {
  acknowledge: 'alert_acknowledged',
  assign: 'alert_assigned',
  release: 'alert_released',
  snooze: 'alert_snoozed',
  'end-snooze': 'alert_snooze_ended',
} as const;

/** Undefined when the alert is gone. @throws {ServiceError} */
export async function changeAlertState(
  change: AlertStateChange,
  {
    client,
    teamId,
    connectionId,
    originId,
    alertId,
    actor,
    now,
    store,
    readStates,
    forgetAlert,
    report,
  }: AlertRef & {
    originId: string;
    /** Slack user id. */
    actor: string;
    now: () => Date;
    store: ChangeAlertState;
    readStates: (of: OnConnection, keys: string[]) => Promise<AlertStates>;
    forgetAlert: ForgetAlert;
    report: ReportAlert;
  },
): Promise<(StateOutcome & { alert?: Alert }) | undefined> {
  const { what } = change;
  if (what === 'acknowledge') {
    const key = alertKey({ id: alertId });
    const state = (await readStates({ teamId, originId }, [key])).get(key);
    if (state?.owner) return { result: 'unchanged', change, alertId, title: state.title, state };
  }
  const readAt = now();
  const alert = await undefinedIfGone(readAlert(client, alertId));
  if (!alert) {
    await forgetAlert({ teamId, originId }, alertKey({ id: alertId }));
    return undefined;
  }
  const title = plainTitle(alert);
  if (isCleared(alert)) {
    report({ teamId, connectionId, alert });
    return { result: 'was-cleared', change, alertId, title, state: undefined };
  }
  const subject = `${nameOf(alert.primaryEntity)}, ${problemOf(alert)}`;
  const { isChanged, isOutdated, state } = await store({
    teamId,
    connectionId,
    originId,
    alert,
    readAt,
    at: now(),
    change,
    entry: {
      teamId,
      at: now(),
      event: events[what],
      actor,
      action: what === 'snooze' || what === 'end-snooze' ? 'alerts.snooze' : 'alerts.own',
      subjectId: alertId,
      facts: factsOf(change, { alertId, actor }),
      personal: { subject, summary: subject },
    },
    directMessage:
      what === 'assign' && change.to !== actor ? assignedMessage(alert, actor) : undefined,
  });
  if (isOutdated) {
    // The change is made, whether or not the messages can show it now.
    const later = await readAlert(client, alertId).catch((error: unknown) => {
      if (error instanceof ServiceError) return undefined;
      throw error;
    });
    if (later) report({ teamId, connectionId, alert: later, isStateChanged: true });
  }
  return { result: isChanged ? what : 'unchanged', change, alertId, title, alert, state };
}

function factsOf(
  change: AlertStateChange,
  { alertId, actor }: { alertId: string; actor: string },
): AuditEntry['facts'] {
  if (change.what === 'snooze') return { alertId, until: change.until.toISOString() };
  const owner = 'to' in change ? change.to : 'from' in change ? change.from : actor;
  return owner === actor ? { alertId } : { alertId, owner };
}
