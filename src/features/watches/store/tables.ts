import type { Generated } from 'kysely';
import type { Json, Timestamp } from '../../../database/column-types.ts';
import type { SubscriptionColumns } from '../../../subscriptions/subscription.ts';

type WatchTable = SubscriptionColumns & {
  connection_id: string;
  /** An `AlertSearch`. */
  search: Json<unknown>;
  changed_by: string | null;
  changed_at: Timestamp | null;
  /** The service's newest update when the watch began; null when it had no alerts. */
  anchor: Timestamp | null;
  /** All alerts that were updated before this time of the service have been read. */
  high_water: Timestamp | null;
  /** An alert of that time. A new connection that has it too is to the same tenant. */
  high_water_alert_id: string | null;
  posted_count: Generated<number>;
  counted_count: Generated<number>;
  /** A `QuietHours`. */
  quiet_hours: Json<unknown> | null;
  /** When the quiet hours end in which it holds alerts; null while it holds none. */
  quiet_until: Timestamp | null;
  /** A `Reminder`. */
  reminder: Json<unknown> | null;
  /** When the watch looks for errors without an owner; null while it has posted none that are active. */
  remind_at: Timestamp | null;
  reminded_at: Timestamp | null;
  /** In a row, of the same errors. */
  reminder_count: Generated<number>;
  ended_at: Timestamp | null;
  ended_by: string | null;
};

/**
 * How an alert was posted: in its own message, in a summary, not yet (by a mute or quiet hours, whose end
 * counts it in a summary), or not at all. Stored as it is.
 */
export type NotifiedAs = 'message' | 'summary' | 'held' | 'none';

/** What a watch has seen of an alert, to find out what changed. */
export type WatchedAlertTable = {
  watch_id: string;
  /** Its id, or the hash of an id that does not fit an index. */
  alert_key: string;
  updated_at: Timestamp | null;
  raised_count: number | null;
  severity: string | null;
  notes_hash: string | null;
  is_cleared: boolean;
  notified_as: NotifiedAs;
  /** When the alert was read as it is stored here. */
  seen_at: Timestamp;
  /** When it was last posted or counted. */
  notified_at: Timestamp | null;
  /** The mute that held it last, and when it was held last, by a mute or quiet hours. */
  muted_by: string | null;
  held_at: Timestamp | null;
  /** When it was first posted or counted as an active error; null if it isn't one. */
  error_since: Timestamp | null;
};

/** Alerts that are not posted in a channel until the mute ends; its row is deleted when the mute ends. */
type MuteTable = SubscriptionColumns & {
  /** An `AlertSearch` that names severities. */
  search: Json<unknown>;
  reason: string;
  /** Null until somebody ends it. */
  ends_at: Timestamp | null;
};

/** One row for each connection that is watched; the holder of its lease reads the alerts. */
export type AlertPollTable = {
  connection_id: string;
  team_id: string;
  next_poll_at: Timestamp;
  lease_holder: string | null;
  lease_until: Timestamp | null;
  /** In a row. */
  failures: Generated<number>;
  failed_lookups: Generated<number>;
  /** The cause of the last failure, as mrkdwn. */
  outage_reason: string | null;
  outage_since: Timestamp | null;
  outage_notified_at: Timestamp | null;
};

/** A watch on a policy; its row is deleted when it ends. */
type ComplianceWatchTable = SubscriptionColumns & {
  policy_id: string;
  policy_name: string;
  /** A message is posted when the noncompliant volumes become more than this. */
  max_count: number;
  changed_by: string | null;
  changed_at: Timestamp | null;
  last_count: number | null;
  last_read_at: Timestamp | null;
  /** Whether the last count was above `max_count`. */
  is_above: boolean;
  next_read_at: Timestamp;
  lease_holder: string | null;
  lease_until: Timestamp | null;
};

/** A channel in which changes to policies are posted; its row is deleted when the watch ends. */
type PolicyWatchTable = SubscriptionColumns;

export type WatchTables = {
  watch: WatchTable;
  mute: MuteTable;
  watched_alert: WatchedAlertTable;
  alert_poll: AlertPollTable;
  compliance_watch: ComplianceWatchTable;
  policy_watch: PolicyWatchTable;
};
