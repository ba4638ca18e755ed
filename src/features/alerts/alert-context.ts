import type { AuditEntry } from '../../audit-log/entry.ts';
import type { Clock } from '../../clock.ts';
import type { OnConnection } from '../../database/connection-origin.ts';
import type { Alert } from '../../dataprotection/resources/alerts.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import type { Access } from '../../workspace/access/access.ts';
import type { KnownValues } from './known-values.ts';
import type { IsCommandWord } from './saved/filter-name.ts';
import type { AlertState, AlertStateChange, KnownAlert } from './store/alert-states.ts';
import type { AlertStore } from './store/alert-store.ts';
import type { Clearings } from './store/clearings.ts';
import type { SavedFilters } from './store/saved-filters.ts';

/** Dependencies of `/belay alerts`, and of the buttons and forms of alerts. */
export type AlertContext = {
  store: AlertStore;
  savedFilters: SavedFilters;
  clearings: Clearings;
  knownValues: KnownValues;
  isCommandWord: IsCommandWord;
  access: Pick<Access, 'readPerson'>;
  changeState: ChangeAlertState;
  showState: ShowAlertState;
  reportAlert: ReportAlert;
  /** Called with the alerts that a search found, before they are shown. */
  onAlertsRead?: ((read: AlertsRead) => Promise<void>) | undefined;
  clock: Clock;
  /** How long a search continues to count after its page is full. */
  countMs?: number | undefined;
};

type OnService = OnConnection & { connectionId: string };

/**
 * Stores who owns an alert, or its snooze, with an entry in the audit log. The messages about the alert
 * show that later, even if this process ends. `directMessage` is for the new owner.
 */
export type ChangeAlertState = (
  input: OnService & {
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
  input: OnService & { alert: Alert; readAt: Date; at: Date },
) => Promise<{
  /** Messages show a later reading, so they are updated later. */
  isOutdated: boolean;
  state: AlertState | undefined;
}>;

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

/** Takes an alert as it is now, so that messages about it can be updated. Must not throw or block. */
export type ReportAlert = (observed: ObservedAlert) => void;

/** Alerts of a connection, as they were read for a list or by a watch. */
export type AlertsRead = { teamId: string; connectionId: string; alerts: readonly Alert[] };
