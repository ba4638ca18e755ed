import type { Timestamp } from '../../../database/column-types.ts';

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

export type AlertTables = { alert_owner: AlertOwnerTable };
