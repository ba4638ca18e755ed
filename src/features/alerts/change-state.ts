import type { AuditEntry } from '../../audit-log/entry.ts';
import type { OnConnection } from '../../database/connection-origin.ts';
import type { ServiceClient } from '../../dataprotection/client.ts';
import { ServiceError } from '../../dataprotection/http/errors.ts';
import { undefinedIfGone } from '../../dataprotection/http/undefined-if-gone.ts';
import { isCleared } from '../../dataprotection/resources/alert-filter.ts';
import { type Alert, readAlert } from '../../dataprotection/resources/alerts.ts';
import type { Interaction } from '../../slack/interactions/interaction.ts';
import type { AlertContext } from './alert-context.ts';
import { type AlertStateChange, knownAlert } from './store/alert-states.ts';
import type { AlertValue } from './views/ids.ts';
import { assignedMessage, type StateOutcome } from './views/state-messages.ts';

const events = {
  acknowledge: 'alert_acknowledged',
  assign: 'alert_assigned',
  release: 'alert_released',
  snooze: 'alert_snoozed',
  'end-snooze': 'alert_snooze_ended',
} as const;

/** How long a click whose change is stored waits for the service: shorter than `refreshAfterMs`. */
const readMs = 8000;

/**
 * Stores the change first: the owner of an alert is known at once, however slow the service is. To assign
 * or snooze an alert, it is read before that: the direct message shows it, and a snooze ends when the
 * severity gets worse. `seen`: the alert as the person saw it. Undefined when the alert is gone.
 * @throws {ServiceError} when nothing was changed
 */
export async function changeAlertState(
  call: Interaction,
  { alertId, title: shownTitle = alertId, raisedCount }: AlertValue,
  change: AlertStateChange,
  context: AlertContext,
): Promise<(StateOutcome & { alert?: Alert | undefined }) | undefined> {
  const { teamId, person } = call;
  const { changeState, showState, reportAlert, clock } = context;
  const actor = person.slackUserId;
  const { client, connectionId, originId } = await call.service();
  const on = { teamId, connectionId, originId };
  const readNow = (signal?: AbortSignal) => readOrForget(client, alertId, on, context, signal);
  const { what } = change;
  const isReadFirst = what === 'assign' || what === 'snooze';
  const before = isReadFirst ? await readNow() : undefined;
  if (isReadFirst && !before) return undefined;
  const known = before ? knownAlert(before.alert) : { id: alertId, title: shownTitle, raisedCount };
  if (before && isCleared(before.alert)) {
    reportAlert({ teamId, connectionId, alert: before.alert });
    return { result: 'was-cleared', change, alertId, title: known.title, state: undefined };
  }
  const at = clock();
  const { isChanged, state } = await changeState({
    ...on,
    alert: known,
    change,
    changedAt: before?.readAt ?? at,
    at,
    createEntry: (title) => createEntry(change, { teamId, alertId, actor, at, title }),
    directMessage:
      before && what === 'assign' && change.to !== actor
        ? assignedMessage(before.alert, actor)
        : undefined,
  });
  const { title } = state ?? known;
  const outcome = {
    result: isChanged ? what : 'unchanged',
    change,
    alertId,
    title,
    state,
  } as const;
  if (!isChanged) return { ...outcome, alert: before?.alert };
  const read = before ?? (await readNow(AbortSignal.timeout(readMs)).catch(asUnread));
  if (read === 'unread') return { ...outcome, isShown: false };
  if (!read) return undefined;
  const shown = await showState({ ...on, ...read, at: clock() });
  if (isCleared(read.alert)) return { ...outcome, result: 'was-cleared', state: undefined };
  return { ...outcome, state: shown.state, alert: shown.isOutdated ? undefined : read.alert };
}

/** The change is stored, so the service's failure is no failure of the change. */
function asUnread(error: unknown): 'unread' {
  if (error instanceof ServiceError) return 'unread';
  throw error;
}

/** Undefined when the alert is gone. */
export async function readOrForget(
  client: ServiceClient,
  alertId: string,
  on: OnConnection,
  { store, clock }: AlertContext,
  signal?: AbortSignal,
): Promise<{ alert: Alert; readAt: Date } | undefined> {
  const readAt = clock();
  const alert = await undefinedIfGone(readAlert(client, alertId, { signal }));
  if (alert) return { alert, readAt };
  await store.forget(on, alertId);
  return undefined;
}

function createEntry(
  change: AlertStateChange,
  {
    title,
    alertId,
    ...of
  }: { teamId: string; alertId: string; actor: string; at: Date; title: string },
): AuditEntry {
  const { what } = change;
  // As the entries about other changes name alerts.
  const subject = title.replace(' · ', ', ');
  return {
    ...of,
    event: events[what],
    action: what === 'snooze' || what === 'end-snooze' ? 'alerts.snooze' : 'alerts.own',
    subjectId: alertId,
    facts: factsOf(change, alertId, of.actor),
    personal: { subject, summary: subject },
  };
}

function factsOf(change: AlertStateChange, alertId: string, actor: string): AuditEntry['facts'] {
  if (change.what === 'snooze') return { alertId, until: change.until.toISOString() };
  const owner = 'to' in change ? change.to : 'from' in change ? change.from : actor;
  return owner === actor ? { alertId } : { alertId, owner };
}
