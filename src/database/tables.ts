import type { ColumnType, Generated } from 'kysely';
import type { AuditLogTables } from '../audit-log/tables.ts';
import type { Check, Detail } from '../features/approvals/approvable-action.ts';
import type { ApprovalState } from '../features/approvals/approval.ts';
import type { DigestTables } from '../features/digests/store/tables.ts';
import type { WatchTables } from '../features/watches/store/tables.ts';
import type { DeliveryTables } from '../outbox/store/tables.ts';
import type { Json, Timestamp } from './column-types.ts';

export type ConnectionTable = {
  id: string;
  team_id: string;
  enterprise_id: string | null;
  region_id: string;
  organizational_unit_id: string | null;
  /** AES-256-GCM, bound to team and row; see token-cipher.ts. Wiped when the row is replaced. */
  token_sealed: string | null;
  /** E-mail address or id of the service's user whose token it is, as the admin told it. */
  token_owner: string | null;
  saved_by: string;
  saved_at: Timestamp;
  /** Null for the connection in use. */
  replaced_at: Timestamp | null;
};

export type WorkspaceSettingsTable = {
  team_id: string;
  approvals_channel_id: string | null;
  /** Slack user ids; empty means the workspace's admins decide. */
  approvers: Json<string[]>;
  /** The view whose submission last wrote this row: the same view writes once. Null before setup. */
  saved_from_view_id: string | null;
  /** Counts the saves. */
  revision: Generated<number>;
  /** How long a user who is to be deleted can still be kept; 0 deletes at once. */
  delete_grace_minutes: Generated<number>;
  /** How many users may be disabled or deleted within any hour. */
  users_per_hour: Generated<number>;
};

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
  WatchTables &
  DigestTables & {
    connection: ConnectionTable;
    workspace_settings: WorkspaceSettingsTable;
    approval: ApprovalTable;
  };
