import type { Generated } from 'kysely';
import type { Json, Timestamp } from '../../../database/column-types.ts';
import type { ClearingResult } from '../clearing/clearing.ts';

/** Who takes care of an alert, and until when it is snoozed. Deleted once Belay reads that it is cleared. */
type AlertStateTable = {
  team_id: string;
  connection_origin_id: string;
  /** As in `watched_alert`. */
  alert_key: string;
  alert_id: string;
  title: string;
  /** When the row was created, or the alert last snoozed: what is worse ends the snooze. */
  severity: string | null;
  raised_at: Timestamp | null;
  /** Slack user id. */
  owner: string | null;
  owned_since: Timestamp | null;
  /** As the owner saw it: what is more is news to them. Null until it is known. */
  raised_count: number | null;
  snoozed_until: Timestamp | null;
  /** Slack user id. */
  snoozed_by: string | null;
  /** When Belay reads the alert, because the messages about it may not show its owner or snooze. */
  refresh_at: Timestamp | null;
  changed_at: Timestamp;
};

/** A search with a name. */
type SavedFilterTable = {
  team_id: string;
  /** Slack id of the person or the channel that it belongs to. */
  owner: string;
  /** In lower case. */
  name: string;
  search: Json<unknown>;
  created_by: string;
  created_at: Timestamp;
};

/** When a person last saw the first page of a list of alerts. */
type AlertLookTable = {
  team_id: string;
  connection_origin_id: string;
  slack_user_id: string;
  looked_at: Timestamp;
};

/** Alerts that a person chose to clear at once. Without `confirmed_at`, only shown to that person. */
type AlertClearingTable = {
  id: string;
  team_id: string;
  connection_id: string;
  connection_origin_id: string;
  /** An `AlertSearch`. */
  search: Json<unknown>;
  /** Slack user id. */
  created_by: string;
  created_at: Timestamp;
  confirmed_at: Timestamp | null;
  /** Where progress is posted. */
  channel_id: string | null;
  /** Null once it is finished. */
  note: string | null;
  /** When a process continues. */
  next_at: Timestamp | null;
  /** When progress was last queued. */
  posted_at: Timestamp | null;
  finished_at: Timestamp | null;
  lease_holder: string | null;
  lease_until: Timestamp | null;
};

type AlertClearingItemTable = {
  clearing_id: string;
  position: number;
  team_id: string;
  /** The service's id. */
  alert_id: string;
  attempts: Generated<number>;
  due_at: Timestamp;
  /** Set from before an attempt is sent until it has certainly failed. */
  sent_at: Timestamp | null;
  result: ClearingResult | null;
  /** Why it is not known to be cleared: mrkdwn. */
  detail: string | null;
  is_note_missing: Generated<boolean>;
};

export type AlertTables = {
  alert_state: AlertStateTable;
  saved_filter: SavedFilterTable;
  alert_look: AlertLookTable;
  alert_clearing: AlertClearingTable;
  alert_clearing_item: AlertClearingItemTable;
};
