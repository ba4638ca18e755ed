import type { UnreadableRowError } from '../../database/parse-rows.ts';
import type { Alert } from '../../dataprotection/resources/alerts.ts';
import type { Subscription } from '../../subscriptions/subscription.ts';
import type { AlertChange, AlertSearch } from '../alerts/index.ts';
import type { QuietHours } from './quiet-hours.ts';
import type { Reminded, Reminder } from './reminders/reminder.ts';
import type { NotifiedAs } from './store/tables.ts';

export const maxWatchesPerChannel = 20;

/** A channel's live alerts: those that match `search` are posted there as they are raised. */
export type Watch = Subscription & {
  originId: string;
  connectionId: string;
  search: AlertSearch;
  changedBy: string | undefined;
  changedAt: Date | undefined;
  /**
   * The newest update, by the service's clock, when the watch began or its filter was changed;
   * undefined when there were no alerts.
   */
  anchor: Date | undefined;
  /** All alerts that were updated before this time of the service have been read. */
  highWater: Date | undefined;
  highWaterAlertId: string | undefined;
  /** How many alerts have their own message, and how many were counted in a summary. */
  postedCount: number;
  countedCount: number;
  quietHours: QuietHours | undefined;
  reminder: Reminder | undefined;
  reminded: Reminded;
};

/** A channel's watch on changes to policies that were made outside Belay: at most one of a connection. */
export type PolicyWatch = Subscription & { originId: string };

/** Where a watch begins: the newest update in the service's list of alerts at that moment. */
export type Anchor = {
  highWater: Date | undefined;
  alertId: string | undefined;
  /** Alerts that are there already but that the next poll reads again; they are not posted. */
  known: { alertKey: string; facts: AlertFacts }[];
};

/** The fields of an alert that are compared to find out what changed. */
export type AlertFacts = {
  updatedAt: Date | undefined;
  raisedCount: number | undefined;
  severity: string | undefined;
  notesHash: string | undefined;
  isCleared: boolean;
};

/** What a watch has stored of an alert. */
export type SeenAlert = AlertFacts & {
  notifiedAs: NotifiedAs;
  readAt: Date;
  notifiedAt: Date | undefined;
  /** When it was held last, and by which mute; without one, by quiet hours. */
  heldAt: Date | undefined;
  mutedBy: string | undefined;
  /** Since when it is posted as an active error. */
  errorSince: Date | undefined;
};

/** An alert as the service returned it at `readAt`; `key` identifies it in the database. */
export type ReadAlert = {
  key: string;
  alert: Alert;
  readAt: Date;
  /** What somebody has just changed through Belay; anything else that is new has another author. */
  change?: AlertChange | undefined;
  /** Messages about it are edited although nothing else has changed. */
  isStateChanged?: boolean;
  /** The snooze of the alert has just ended, of which `notified` (a Slack user id) is notified. */
  endedSnooze?: EndedSnooze | undefined;
};

/** `isWorse`: because the alert got worse, not because its time was over. */
export type EndedSnooze = { notified: string; isWorse: boolean };

/** A time in which the watches of a connection saw nothing, or not everything; `reason` is mrkdwn. */
export type Outage = { reason: string; since: Date };

/** How reading the alerts of a connection has gone. */
export type PollState = {
  connectionId: string;
  /** In a row. */
  failures: number;
  /** In a row: lookups of a known alert that failed while the list of alerts could be read. */
  failedLookups: number;
  /** `notifiedAt` is when the channels were warned. */
  outage: (Outage & { notifiedAt: Date | undefined }) | undefined;
};

/** One reading of a connection's alerts, by the process that holds its lease. */
export type Poll = PollState & { teamId: string; holder: string };

/** The watches of a connection that was replaced. They see nothing until they are migrated. */
export type OrphanedWatches = PollState & { watches: Watch[] };

export type ClaimedPoll = Poll & {
  watches: Watch[];
  orphans: OrphanedWatches[];
  unreadable: UnreadableRowError[];
};
