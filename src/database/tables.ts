import type { ColumnType, Generated } from 'kysely';
import type { AuditLogTables } from '../audit-log/tables.ts';
import type { AlertTables } from '../features/alerts/store/tables.ts';
import type { Check, Detail } from '../features/approvals/approvable-action.ts';
import type { ApprovalState } from '../features/approvals/approval.ts';
import type { DigestTables } from '../features/digests/store/tables.ts';
import type { WatchTables } from '../features/watches/store/tables.ts';
import type { WorkspaceTables } from '../features/workspaces/store/tables.ts';
import type { DeliveryTables } from '../outbox/store/tables.ts';
import type { Json, Timestamp } from './column-types.ts';

export type ApprovalTable = {
  id: string;
  team_id: string;
  enterprise_id: string | null;
  connection_id: string;
  organizational_unit_id: string | null;
  action: string;
  /** What the action needs, in its own shape; parsed by the action. */
  payload: Json<unknown>;
  reason: string;
  requester: string;
  state: ApprovalState;
  version: Generated<number>;
  /** The version that the message shows, and the one that the requester was told of. */
  rendered_version: Generated<number>;
  notified_version: Generated<number>;
  source_view_id: string;
  channel_id: string;
  message_ts: string | null;
  decided_by: string | null;
  decision_reason: string | null;
  decided_at: Timestamp | null;
  begun_at: Timestamp | null;
  /** What came of the execution, as mrkdwn: what the service said in it is escaped. */
  outcome: string | null;
  finished_at: Timestamp | null;
  requested_at: Timestamp;
  expires_at: Timestamp;
  /** Whom it is about, by the service's id. Null in rows of before 002, as are step and snapshot. */
  subject_id: string | null;
  /** The part of the action that is next, under way, or was last. */
  step: string | null;
  /** What the request shows of the subject, and which guards were looked at: mrkdwn. */
  preview: ColumnType<Detail[], string | undefined, string>;
  checks: ColumnType<Check[], string | undefined, string>;
  /** What the decision rests on, in the action's own shape, and the digest of that. */
  snapshot: Json<unknown> | null;
  snapshot_hash: string | null;
  /** When Belay has to look at it next: a deadline, the end of a grace period or of a lease. */
  wake_at: Timestamp | null;
  /** Who carries it out until `wake_at`. */
  lease_holder: string | null;
  attempts: Generated<number>;
  /** Who stopped it between two steps. */
  canceled_by: string | null;
  /** The copy in the requester's direct messages. */
  direct_channel_id: string | null;
  direct_ts: string | null;
  /** Until when someone is at drawing it: two at once could leave the older face. */
  rendering_until: Timestamp | null;
};

export type Tables = AuditLogTables &
  DeliveryTables &
  AlertTables &
  WatchTables &
  DigestTables &
  WorkspaceTables & {
    approval: ApprovalTable;
  };
