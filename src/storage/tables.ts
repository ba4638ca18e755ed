import type { ColumnType, Generated } from 'kysely';
import type { ApprovalState } from '../features/approvals/approval.ts';

/** timestamptz: read as Date, written as Date. */
type Timestamp = ColumnType<Date, Date, Date>;
type Json<T> = ColumnType<T, string, string>;

export type ConnectionTable = {
  id: string;
  team_id: string;
  enterprise_id: string | null;
  region_id: string;
  organizational_unit_id: string | null;
  /** AES-256-GCM, bound to team and row; see token-cipher.ts. Wiped when the row is replaced. */
  token_sealed: string | null;
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
  /** The view whose submission last wrote this row: the same view writes once. */
  saved_from_view_id: string;
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
  /** The version that the message shows, and the one that the asker was told of. */
  drawn_version: Generated<number>;
  told_version: Generated<number>;
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
};

export type Tables = {
  connection: ConnectionTable;
  workspace_settings: WorkspaceSettingsTable;
  approval: ApprovalTable;
};
