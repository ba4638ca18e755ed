import type { StopReason } from '../audit-log/registry.ts';
import type { ActionRule } from '../workspace/rules.ts';
import type { Check, Detail } from './action.ts';
import type { ApprovalState, EndState } from './approval-state.ts';
import type { Tally } from './bulk/tally.ts';

export type ApprovalRef = { teamId: string; id: string };

/** The reference in messages, which finds the log lines and traces of a request. */
export const referenceOf = ({ id }: Pick<ApprovalRef, 'id'>): string => id.slice(0, 8);

/** A check as a request stores it. */
export type StoredCheck = Omit<Check, 'label'> & { label: string };

/**
 * One person's approval, with what they wrote. `mailboxHash` is the same for all accounts with one
 * mailbox; see `hashMailbox`.
 */
export type Vote = {
  by: string;
  mailboxHash: string;
  at: Date;
  comment?: string | undefined;
  /** The approver in whose place the person approved; undefined for an approver's own approval. */
  standsInFor?: StandsInFor | undefined;
  /** Which of the needed approvals it could count for, from 0; fewer once the person has lost rights. */
  meets: number[];
};

/** The Slack user id of an approver, and `hashMailbox` of them at the click. */
export type StandsInFor = { slackUserId: string; mailboxHash: string };

/** The approver whose place an approval fills: the approver's own approval and a stand-in's count once. */
export const placeOf = ({ by, standsInFor }: Pick<Vote, 'by' | 'standsInFor'>): string =>
  standsInFor?.slackUserId ?? by;

/**
 * Who has nothing left to approve: everybody who has, and those whose place an approval fills. One that
 * no longer counts fills none.
 */
export function doneBy(votes: Vote[]): string[] {
  return votes.flatMap((vote) => (vote.meets.length > 0 ? [vote.by, placeOf(vote)] : [vote.by]));
}

type SentAttempt = { step: string; attempt: number };

/** `mailboxHash`: of the requester when they ran it, as in `Vote`. */
type BreakGlass = {
  mailboxHash: string;
  review?: { by: string; at: Date; comment?: string | undefined } | undefined;
};

/** A requested action, its decision and its outcome: one row, from which messages are rendered. */
export type Approval = {
  id: string;
  teamId: string;
  connectionId: string;
  /** As it was named when the request was made; undefined where the workspace had one connection. */
  connectionName?: string | undefined;
  /** The same for a connection and all that it replaced. */
  connectionOriginId: string;
  /** Name of the action, such as `users.disable`. */
  action: string;
  /** What the action needs, in its own shape. */
  payload: unknown;
  /** The service's id of the subject. */
  subjectId: string;
  /** What the decision rests on, in the action's own shape. */
  snapshot: unknown;
  snapshotHash: string;
  preview: Detail[];
  checks: StoredCheck[];
  reason: string;
  /** Slack user id, as are `decidedBy`, `canceledBy` and the people in messages. */
  requester: string;
  state: ApprovalState;
  /** The step of the action that is next, running, or was last. */
  step: string;
  /** How many times that step was started. */
  attempts: number;
  /** The attempts of all steps that may have sent their change: see `mayHaveSent`. */
  sent: SentAttempt[];
  /** Counts the changes of the row. */
  version: number;
  channelId: string;
  messageTs: string | undefined;
  /** How many different people have to approve, as of the request: a later setting doesn't change it. */
  requiredApprovals: number;
  /** The rule of the action as of the request; undefined if there was none. */
  rule: ActionRule | undefined;
  /** Run without approval, in an emergency. Undefined for every other request. */
  breakGlass?: BreakGlass | undefined;
  /** The approvals so far, the earliest first. */
  votes: Vote[];
  /** Who decided: the last of several approvers. */
  decidedBy: string | undefined;
  /** Why it was denied, or the comment of the last approver. */
  decisionReason: string | undefined;
  decidedAt: Date | undefined;
  canceledBy: string | undefined;
  /** When its step was last started. */
  startedAt: Date | undefined;
  /** When it is due next: a deadline, the end of a grace period or of a lease. */
  wakeAt: Date | undefined;
  /** The outcome of the run, as mrkdwn; text quoted from the service is escaped. */
  outcome: string | undefined;
  finishedAt: Date | undefined;
  requestedAt: Date;
  expiresAt: Date;
  /** The bulk request that this one about a single subject belongs to. */
  parentId: string | undefined;
  /** The results of a bulk request, which runs nothing itself; undefined for every other request. */
  tally: Tally | undefined;
};

export type NewApproval = Pick<
  Approval,
  | 'id'
  | 'teamId'
  | 'connectionId'
  | 'connectionName'
  | 'action'
  | 'payload'
  | 'snapshot'
  | 'preview'
  | 'checks'
  | 'reason'
  | 'requester'
  | 'channelId'
  | 'requiredApprovals'
  | 'rule'
  | 'requestedAt'
  | 'expiresAt'
> & {
  enterpriseId: string | undefined;
  organizationalUnitId: string | undefined;
  subjectId: string;
  snapshotHash: string;
  step: string;
  /** The people who may get a direct message to decide it: Slack user ids; empty for the admins. */
  approvers: string[];
  /** When the request is void unless it was posted by then. */
  postBy: Date;
  /** What names people, for the audit log's erasable part. */
  personal: Record<string, string>;
  /** For one that runs without approval: `hashMailbox` of the requester. */
  breakGlassMailbox?: string | undefined;
  /** The view whose submission requests it: the same view requests once. */
  sourceViewId: string;
  /** Of a bulk request: a request for each subject, created and decided with it. */
  children?: NewChild[] | undefined;
};

/** What a request about one subject of several has of its own. */
export type NewChild = Pick<
  NewApproval,
  'id' | 'action' | 'payload' | 'subjectId' | 'snapshot' | 'snapshotHash' | 'step' | 'checks'
> & { personal: Record<string, string> };

/** The outcome of a step; `waiting` if it can't be sent now, and will be tried again. */
export type Outcome = {
  to: Exclude<EndState, 'canceled'> | 'waiting';
  /** Mrkdwn; can be erased, unlike the reason. */
  outcome: string;
  stopReason?: StopReason | undefined;
  /** The id of what the step created. */
  createdId?: string | undefined;
};

/**
 * The state of a request after a step: `scheduled` when another step follows later, `approved` when
 * the step is tried again. `sent` are then the attempts before this one, which sent nothing.
 */
export type Ending = ApprovalRef &
  Pick<Outcome, 'outcome' | 'stopReason' | 'createdId'> & { at: Date } & (
    | { to: EndState; wakeAt?: Date | undefined }
    | { to: 'scheduled'; step: string; wakeAt: Date }
    | { to: 'approved'; sent: SentAttempt[]; wakeAt: Date }
  );

/** When the next step is due; of a bulk request, that of the first subject. */
export function nextStepAt({
  tally,
  wakeAt,
}: Pick<Approval, 'tally' | 'wakeAt'>): Date | undefined {
  return tally ? tally.nextAt : wakeAt;
}

/**
 * Whether the step may have sent its change, in one of its first `attempts` attempts. If it did not,
 * the change is somebody else's, and Belay neither claims nor undoes it.
 */
export function mayHaveSent(
  { sent }: Pick<Approval, 'sent'>,
  step: string,
  attempts = Number.POSITIVE_INFINITY,
): boolean {
  return sent.some((one) => one.step === step && one.attempt <= attempts);
}
