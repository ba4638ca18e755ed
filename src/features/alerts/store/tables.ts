import type { Timestamp } from '../../../database/column-types.ts';

/** Severities and types that a team's service was seen to use, beyond the documented ones. */
export type AlertValueTable = {
  team_id: string;
  kind: 'severity' | 'type';
  value: string;
  added_at: Timestamp;
};

export type AlertTables = { alert_value: AlertValueTable };
