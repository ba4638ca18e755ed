/**
 * pending → approved → executing → succeeded | failed | outcome_unknown. Between two steps of an
 * action it is scheduled, and can be kept from happening until then.
 */
export type ApprovalState =
  | 'pending'
  | 'approved'
  | 'executing'
  | 'scheduled'
  | 'succeeded'
  | 'kept'
  | 'failed'
  | 'outcome_unknown'
  | 'denied'
  | 'expired'
  | 'withdrawn'
  | 'voided';

/** Nothing more will happen by itself. */
export function hasEnded({ state }: Pick<Approval, 'state'>): boolean {
  return state !== 'pending' && state !== 'approved' && state !== 'executing';
}

/** A requested action and everything that became of it: one row, from which messages are drawn. */
export type Approval = {
  id: string;
  teamId: string;
  connectionId: string;
  /** Name of the action, such as `users.disable`. */
  action: string;
  /** What the action needs, in its own shape. */
  payload: unknown;
  reason: string;
  /** Slack user id, as are `decidedBy` and the people in messages. */
  requester: string;
  state: ApprovalState;
  /** Counts the changes of the row. */
  version: number;
  /** The version that the message shows, and the one that the asker was told of. */
  drawnVersion: number;
  toldVersion: number;
  channelId: string;
  messageTs: string | undefined;
  decidedBy: string | undefined;
  decisionReason: string | undefined;
  decidedAt: Date | undefined;
  /** What came of the execution, as mrkdwn: what the service said in it is escaped. */
  outcome: string | undefined;
  finishedAt: Date | undefined;
  requestedAt: Date;
  expiresAt: Date;
};

export type NewApproval = Pick<
  Approval,
  | 'id'
  | 'teamId'
  | 'connectionId'
  | 'action'
  | 'payload'
  | 'reason'
  | 'requester'
  | 'channelId'
  | 'requestedAt'
  | 'expiresAt'
> & {
  enterpriseId: string | undefined;
  organizationalUnitId: string | undefined;
  /** The view whose submission asks: the same view asks once. */
  sourceViewId: string;
};

/** How long a request waits for a decision. */
export const approvalLifetimeMs = 8 * 60 * 60 * 1000;
