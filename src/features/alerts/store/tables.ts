import type { Json, Timestamp } from '../../../database/column-types.ts';

/** Who takes care of an alert. Deleted once Belay reads that the alert is cleared. */
type AlertOwnerTable = {
  team_id: string;
  connection_origin_id: string;
  /** As in `watched_alert`. */
  alert_key: string;
  /** Slack user id. */
  owner: string;
  since: Timestamp;
  /** Of the alert at that time. */
  severity: string | null;
  raised_count: number | null;
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

export type AlertTables = {
  alert_owner: AlertOwnerTable;
  saved_filter: SavedFilterTable;
  alert_look: AlertLookTable;
};
