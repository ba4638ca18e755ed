import type { Json, Timestamp } from '../../../database/column-types.ts';
import type { SubscriptionColumns } from '../../../subscriptions/subscription.ts';

type DrillTable = SubscriptionColumns & {
  /** A `DrillPlan`. */
  plan: Json<unknown>;
  next_run_at: Timestamp;
  /** The row stays after the end, with its runs: they are evidence. */
  ended_at: Timestamp | null;
  ended_by: string | null;
};

/** `due`: nothing was sent. `sent`: the restore may have been sent, and is never sent again. */
export type DrillRunState = 'due' | 'sent' | 'restored' | 'failed' | 'unknown';

/** One row for each volume and time. It exists before anything is sent. */
type DrillRunTable = {
  /** The value of the new volume's tag. */
  id: string;
  team_id: string;
  drill_id: string;
  due_at: Timestamp;
  /** Empty until a run of a policy has chosen one, as is the name. */
  volume_id: string;
  volume_name: string;
  volume_native_id: string | null;
  backup_id: string | null;
  backup_at: Timestamp | null;
  state: DrillRunState;
  created_at: Timestamp;
  sent_at: Timestamp | null;
  task_id: string | null;
  finished_at: Timestamp | null;
  /** By the service's clock; null if the service didn't show the task to its end. */
  took_seconds: number | null;
  /** AWS's id. */
  new_volume_id: string | null;
  /** How it ended: mrkdwn. */
  detail: string | null;
  /** Null once it has ended. */
  check_at: Timestamp | null;
  lease_holder: string | null;
  lease_until: Timestamp | null;
};

export type DrillTables = { restore_drill: DrillTable; restore_drill_run: DrillRunTable };
