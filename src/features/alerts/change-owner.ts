import type { AuditEntry } from '../../audit-log/entry.ts';
import { undefinedIfGone } from '../../dataprotection/http/undefined-if-gone.ts';
import { isCleared } from '../../dataprotection/resources/alert-filter.ts';
import { type Alert, readAlert } from '../../dataprotection/resources/alerts.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import type { AlertRef, ReportAlert } from './read-alert.ts';
import type { AlertOwner, OwnerChange } from './store/alert-owners.ts';
import { nameOf, problemOf } from './views/format-alert.ts';
import { assignedMessage, type OwnerOutcome } from './views/owner-messages.ts';

/**
 * Stores who owns an alert, with its entry in the audit log, and edits the messages about the alert.
 * `told` is a direct message to the new owner.
 */
export type ChangeOwner = (input: {
  teamId: string;
  connectionId: string;
  originId: string;
  alert: Alert;
  readAt: Date;
  at: Date;
  change: OwnerChange;
  entry: AuditEntry;
  told: Message | undefined;
}) => Promise<{
  isChanged: boolean;
  /** Messages show a later reading, without the owner. */
  isOutdated: boolean;
  /** Afterward. */
  owner: AlertOwner | undefined;
}>;

const events = {
  acknowledge: 'alert_acknowledged',
  assign: 'alert_assigned',
  release: 'alert_released',
} as const;

/** Undefined when the alert is gone. @throws {ServiceError} */
export async function changeAlertOwner(
  change: OwnerChange,
  {
    client,
    teamId,
    connectionId,
    originId,
    alertId,
    actor,
    now,
    store,
    report,
  }: AlertRef & {
    originId: string;
    /** Slack user id. */
    actor: string;
    now: () => Date;
    store: ChangeOwner;
    report: ReportAlert;
  },
): Promise<OwnerOutcome | undefined> {
  const { what, to } = change;
  const readAt = now();
  const alert = await undefinedIfGone(readAlert(client, alertId));
  if (!alert) return undefined;
  if (isCleared(alert)) {
    report({ teamId, connectionId, alert });
    return { result: 'was-cleared', alert };
  }
  const subject = `${nameOf(alert.primaryEntity)}, ${problemOf(alert)}`;
  const isTold = what === 'assign' && to !== actor;
  const { isChanged, isOutdated, owner } = await store({
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
      action: 'alerts.own',
      subjectId: alertId,
      facts: to === undefined || to === actor ? { alertId } : { alertId, owner: to },
      personal: { subject, summary: subject },
    },
    told: isTold ? assignedMessage(alert, actor) : undefined,
  });
  if (isOutdated) {
    const later = await undefinedIfGone(readAlert(client, alertId));
    if (later) report({ teamId, connectionId, alert: later, isOwnerChanged: true });
  }
  return { result: isChanged ? what : 'unchanged', alert, owner };
}
