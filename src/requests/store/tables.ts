import type { ColumnType, Generated, RawBuilder } from 'kysely';
import type { Json, Timestamp } from '../../database/column-types.ts';
import type { ApprovalState } from '../approval-state.ts';

/**
 * The message in the channel, and the direct ones: of the requester, of followers, who get the same, and of
 * approvers, who can decide there.
 */
export type CopyKind = 'channel' | 'requester' | 'follower' | 'approver';

export type ApprovalTables = {
  approval: ApprovalTable;
  run: RunTable;
  request_copy: RequestCopyTable;
};

/** A message about a request, or one that somebody may get. */
type RequestCopyTable = {
  team_id: string;
  approval_id: string;
  kind: CopyKind;
  /** Whose direct message it is; empty for the channel. */
  slack_user_id: string;
  /**
   * The version that it shows, or that needed no message; negative for an approver before the first, and
   * 2,147,483,647 for one who needs none.
   */
  shown_version: number;
  /** The direct message, once there is one. That in the channel is in `approval`. */
  channel_id: string | null;
  message_ts: string | null;
  /** When Belay first tried to send it: it may be in Slack without its place being recorded. */
  attempted_at: Timestamp | null;
};

export type ApprovalTable = {
  id: string;
  team_id: string;
  connection_id: string;
  /** As it was shown with the request; null where the workspace had one connection. */
  connection_name: string | null;
  /** The same for a connection and all that it replaced. */
  connection_origin_id: string;
  action: string;
  reason: string;
  requester: string;
  state: ApprovalState;
  version: Generated<number>;
  /** Every copy was brought up to this version; lower if one has to be looked at again. */
  published_version: Generated<number>;
  source_view_id: string;
  channel_id: string;
  message_ts: string | null;
  /** How many different people have to approve, as of the request. */
  required_approvals: Generated<number>;
  /** The rule of the action as of the request; null: none. Parsed by `toApproval`. */
  rule: ColumnType<unknown, string | null | undefined, never> | null;
  /** The approvals so far: parsed by `toApproval`. */
  votes: ColumnType<unknown, string | undefined, string>;
  decided_by: string | null;
  decision_reason: string | null;
  decided_at: Timestamp | null;
  finished_at: Timestamp | null;
  requested_at: Timestamp;
  expires_at: Timestamp;
  /** What the request shows of its subject: parsed by `toApproval`. */
  preview: ColumnType<unknown, string | undefined, string>;
  /** The deadline of a pending request. */
  wake_at: Timestamp | null;
  /** Until when a process renders it, because two at once could leave the older version, or it pauses. */
  rendering_until: Timestamp | null;
  /** Of a run without approval: `hashMailbox` of the requester, for its review. Null for the others. */
  break_glass_mailbox: string | null;
  /** Who reviewed such a run. */
  reviewed_by: string | null;
  reviewed_at: Timestamp | null;
  review_comment: string | null;
  /** When those who can decide it are reminded next; null for never. */
  remind_at: Timestamp | null;
  /** The trace of the last change, which what it made due continues. */
  traceparent: string | null;
};

export type RunTable = {
  id: string;
  team_id: string;
  approval_id: string;
  /** Among the runs of the request, from 0. */
  position: number;
  /** The service's id of the subject. */
  subject_id: string;
  /** What the action needs, in its own shape; parsed by the action. */
  payload: Json<unknown>;
  /** What the decision rests on, in the action's own shape. Null once it is erased. */
  snapshot: Json<unknown> | null;
  /** The results of the guards at the request: parsed by `toApproval`. */
  checks: ColumnType<unknown, string | undefined, string>;
  state: ApprovalState;
  version: Generated<number>;
  /** The step of the action that is next, running, or was last. */
  step: string;
  /** When the run is due next: the end of a grace period or of a lease. */
  wake_at: Timestamp | null;
  /** The process that runs the step until `wake_at`. */
  lease_holder: string | null;
  attempts: Generated<number>;
  /** The attempts that may have sent a change: parsed by `toApproval`. */
  sent: ColumnType<unknown, string | undefined, string | RawBuilder<unknown>>;
  /** Who canceled the scheduled step, or wants the task of the step to be aborted. */
  canceled_by: string | null;
  begun_at: Timestamp | null;
  /** When that step first had to wait, because it couldn't be sent. */
  waiting_since: Timestamp | null;
  /** The outcome, or why it won't run, as mrkdwn; text quoted from the service is escaped. */
  outcome: string | null;
  finished_at: Timestamp | null;
};
