import type { AuditEntry } from '../../audit-log/entry.ts';
import type { OnConnection } from '../../database/connection-origin.ts';
import { ServiceError } from '../../dataprotection/http/errors.ts';
import { undefinedIfGone } from '../../dataprotection/http/undefined-if-gone.ts';
import { isCleared } from '../../dataprotection/resources/alert-filter.ts';
import { type Alert, readAlert } from '../../dataprotection/resources/alerts.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import { alertKey } from './alert-key.ts';
import type { AlertRef, ReportAlert } from './read-alert.ts';
import {
  type AlertState,
  type AlertStateChange,
  type KnownAlert,
  knownAlert,
} from './store/alert-states.ts';
import { assignedMessage, type StateOutcome } from './views/state-messages.ts';

/**
 * Stores who owns an alert, or its snooze, with an entry in the audit log. The messages about the alert
 * show that later, even if this process ends. `directMessage` is for the new owner.
 */
export type ChangeAlertState = (
  input: OnConnection & {
    connectionId: string;
    alert: KnownAlert;
    change: AlertStateChange;
    /** Only later readings of the alert can end its state. */
    changedAt: Date;
    at: Date;
    /** With the title as it is stored. */
    createEntry: (title: string) => AuditEntry;
    directMessage: Message | undefined;
  },
) => Promise<{
  isChanged: boolean;
  /** Afterward. */
  state: AlertState | undefined;
}>;

/** Shows the owner and the snooze, as they are now, on the messages about an alert that was just read. */
export type ShowAlertState = (
  input: OnConnection & { connectionId: string; alert: Alert; readAt: Date; at: Date },
) => Promise<{
  /** Messages show a later reading, so they are updated later. */
  isOutdated: boolean;
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

/** How long a click whose change is stored waits for the service: shorter than `refreshAfterMs`. */
const readMs = 8000;

type StateInput = AlertRef & {
  originId: string;
  /** As the person saw it. */
  seen: KnownAlert;
  /** Slack user id. */
  actor: string;
  now: () => Date;
  changeState: ChangeAlertState;
  showState: ShowAlertState;
  forgetAlert: ForgetAlert;
  report: ReportAlert;
};

/**
 * Stores the change first: the owner of an alert is known at once, however slow the service is. To assign
 * or snooze an alert, it is read before that: the direct message shows it, and a snooze ends when the
 * severity gets worse. Undefined when the alert is gone.
 * @throws {ServiceError} when nothing was changed
 */
export async function changeAlertState(
  change: AlertStateChange,
  input: StateInput,
): Promise<(StateOutcome & { alert?: Alert | undefined }) | undefined> {
  const { teamId, connectionId, originId, alertId, actor, now, seen, report } = input;
  const { what } = change;
  const isReadFirst = what === 'assign' || what === 'snooze';
  const before = isReadFirst ? await readNow(input) : undefined;
  if (isReadFirst && !before) return undefined;
  const known = before ? knownAlert(before.alert) : seen;
  if (before && isCleared(before.alert)) {
    report({ teamId, connectionId, alert: before.alert });
    return { result: 'was-cleared', change, alertId, title: known.title, state: undefined };
  }
  const at = now();
  const on = { teamId, connectionId, originId };
  const { isChanged, state } = await input.changeState({
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
  const read = before ?? (await readNow(input, AbortSignal.timeout(readMs)).catch(asUnread));
  if (read === 'unread') return { ...outcome, isShown: false };
  if (!read) return undefined;
  const shown = await input.showState({ ...on, ...read, at: now() });
  if (isCleared(read.alert)) return { ...outcome, result: 'was-cleared', state: undefined };
  return { ...outcome, state: shown.state, alert: shown.isOutdated ? undefined : read.alert };
}

/** The change is stored, so the service's failure is no failure of the change. */
function asUnread(error: unknown): 'unread' {
  if (error instanceof ServiceError) return 'unread';
  throw error;
}

/** Undefined when the alert is gone. */
async function readNow(
  { client, teamId, originId, alertId, now, forgetAlert }: StateInput,
  signal?: AbortSignal,
): Promise<{ alert: Alert; readAt: Date } | undefined> {
  const readAt = now();
  const alert = await undefinedIfGone(readAlert(client, alertId, { signal }));
  if (alert) return { alert, readAt };
  await forgetAlert({ teamId, originId }, alertKey({ id: alertId }));
  return undefined;
}

function createEntry(
  change: AlertStateChange,
  {
    title,
    alertId,
    actor,
    ...of
  }: { teamId: string; alertId: string; actor: string; at: Date; title: string },
): AuditEntry {
  const { what } = change;
  // As the entries about other changes name alerts.
  const subject = title.replace(' · ', ', ');
  return {
    ...of,
    event: events[what],
    actor,
    action: what === 'snooze' || what === 'end-snooze' ? 'alerts.snooze' : 'alerts.own',
    subjectId: alertId,
    facts: factsOf(change, { alertId, actor }),
    personal: { subject, summary: subject },
  };
}

function factsOf(
  change: AlertStateChange,
  { alertId, actor }: { alertId: string; actor: string },
): AuditEntry['facts'] {
  if (change.what === 'snooze') return { alertId, until: change.until.toISOString() };
  const owner = 'to' in change ? change.to : 'from' in change ? change.from : actor;
  return owner === actor ? { alertId } : { alertId, owner };
}
