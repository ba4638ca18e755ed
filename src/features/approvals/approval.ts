import type { Check, Detail } from './approvable-action.ts';

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

/** How an execution can end; of an unknown outcome Belay may learn later. */
export type EndState = 'succeeded' | 'kept' | 'failed' | 'outcome_unknown' | 'voided';

const underWay: ApprovalState[] = ['pending', 'approved', 'executing', 'scheduled'];

/** Nothing more is about to happen; an unknown outcome is still looked into. */
export function hasEnded({ state }: Pick<Approval, 'state'>): boolean {
  return !underWay.includes(state);
}

/**
 * Worth a message to the requester: how it ended, or a step that took effect while another one waits.
 * Not what Belay is about to find out.
 */
export function isNews({ state, wakeAt }: Pick<Approval, 'state' | 'wakeAt'>): boolean {
  if (state === 'outcome_unknown') return wakeAt === undefined;
  return (state === 'scheduled' || !underWay.includes(state)) && state !== 'withdrawn';
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
  /** The service's id of whom it is about. */
  subjectId: string | undefined;
  /** What the decision rests on, in the action's own shape. */
  snapshot: unknown;
  snapshotHash: string | undefined;
  preview: Detail[];
  checks: Check[];
  reason: string;
  /** Slack user id, as are `decidedBy`, `canceledBy` and the people in messages. */
  requester: string;
  state: ApprovalState;
  /** The step of the action that is next, under way, or was last. */
  step: string | undefined;
  /** How often that step was begun. */
  attempts: number;
  /** Counts the changes of the row. */
  version: number;
  /** The version that the message shows, and the one that the requester's copy shows. */
  renderedVersion: number;
  notifiedVersion: number;
  channelId: string;
  messageTs: string | undefined;
  directChannelId: string | undefined;
  directTs: string | undefined;
  decidedBy: string | undefined;
  decisionReason: string | undefined;
  decidedAt: Date | undefined;
  canceledBy: string | undefined;
  /** When its step was last begun. */
  begunAt: Date | undefined;
  /** When it has to be looked at next: a deadline, the end of a grace period or of a lease. */
  wakeAt: Date | undefined;
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
  | 'snapshot'
  | 'preview'
  | 'checks'
  | 'reason'
  | 'requester'
  | 'channelId'
  | 'requestedAt'
  | 'expiresAt'
> & {
  enterpriseId: string | undefined;
  organizationalUnitId: string | undefined;
  subjectId: string;
  snapshotHash: string;
  step: string;
  /** When it is given up unless it was posted by then. */
  placeBy: Date;
  /** What names people, for the log's erasable part. */
  personal: Record<string, string>;
  /** The view whose submission asks: the same view asks once. */
  sourceViewId: string;
};

/** How long a request waits for a decision. */
export const approvalLifetimeMs = 8 * 60 * 60 * 1000;

/** How long the posting of a request may take before it counts as interrupted. */
export const placingMs = 2 * 60 * 1000;
