import type { StopReason } from '../audit-log/registry.ts';
import { min } from '../dates.ts';
import type { ActionRule } from '../workspace/rules.ts';
import type { Check, Detail, SentChange } from './action.ts';
import { type ApprovalState, type EndState, hasEnded } from './approval-state.ts';

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

/** `taskId`: of the task in which the service makes the change, once it has accepted it. */
type SentAttempt = { step: string; attempt: number; taskId?: string | undefined };

/** `mailboxHash`: of the requester when they ran it, as in `Vote`. */
type BreakGlass = {
  mailboxHash: string;
  review?: { by: string; at: Date; comment?: string | undefined } | undefined;
};

/** A requested action, its decision and its outcome, from which messages are rendered. */
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
  preview: Detail[];
  reason: string;
  /** Slack user id, as are `decidedBy`, `canceledBy` and the people in messages. */
  requester: string;
  /** Of its run; of several, see `stateOfRuns`. */
  state: ApprovalState;
  /** Counts the changes of the request and its runs. */
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
  /** When a pending request is void because it wasn't posted, or expires. */
  wakeAt: Date | undefined;
  finishedAt: Date | undefined;
  requestedAt: Date;
  expiresAt: Date;
  /** One for each subject; `bind` and what advances a run work with one of them. */
  runs: [Run, ...Run[]];
};

/** The change of one subject, step by step. It begins with the approval. */
export type Run = {
  /** That of the request if it has no other subject. */
  id: string;
  /** What the action needs, in its own shape. */
  payload: unknown;
  /** The service's id of the subject. */
  subjectId: string;
  /** What the decision rests on, in the action's own shape. Undefined once it was erased. */
  snapshot: unknown;
  /** The results of the guards at the request. */
  checks: StoredCheck[];
  /** That of the request until it is approved. */
  state: ApprovalState;
  /** The step of the action that is next, running, or was last. */
  step: string;
  /** How many times that step was started. */
  attempts: number;
  /** The attempts of all steps that may have sent their change: see `mayHaveSent`. */
  sent: SentAttempt[];
  version: number;
  /** Who canceled the scheduled step, or wants the task of the step to be aborted. */
  canceledBy: string | undefined;
  /** When its step was last started. */
  startedAt: Date | undefined;
  /** When that step first had to wait, because it couldn't be sent. */
  waitingSince: Date | undefined;
  /** When it is due next: the end of a grace period or of a lease. */
  wakeAt: Date | undefined;
  /** The outcome, or why it won't run, as mrkdwn; text quoted from the service is escaped. */
  outcome: string | undefined;
  finishedAt: Date | undefined;
};

/** Whether the request is about several subjects, each with a result of its own. */
export function isAboutSeveral({ runs }: Pick<Approval, 'runs'>): boolean {
  return runs.length > 1;
}

export type NewApproval = Pick<
  Approval,
  | 'id'
  | 'teamId'
  | 'connectionId'
  | 'connectionName'
  | 'action'
  | 'preview'
  | 'reason'
  | 'requester'
  | 'channelId'
  | 'requiredApprovals'
  | 'rule'
  | 'requestedAt'
  | 'expiresAt'
> & {
  /** The people who may get a direct message to decide it: Slack user ids; empty for the admins. */
  approvers: string[];
  /** Who submitted it from the command line in the requester's name, if that was somebody else. */
  submittedBy?: string | undefined;
  /** When the request is void unless it was posted by then. */
  postBy: Date;
  /** What names people, for the audit log's erasable part. */
  personal: Record<string, string>;
  /** For one that runs without approval: `hashMailbox` of the requester. */
  breakGlassMailbox?: string | undefined;
  /** The view whose submission requests it: the same view requests once. */
  sourceViewId: string;
  runs: [NewRun, ...NewRun[]];
};

export type NewRun = Pick<Run, 'id' | 'payload' | 'subjectId' | 'snapshot' | 'step' | 'checks'> & {
  personal: Record<string, string>;
};

/**
 * The outcome of a step; `waiting` if it can't be sent now, and will be tried again; `running` if the
 * service makes the change in the task `taskId`.
 */
export type Outcome = {
  to: Exclude<EndState, 'canceled'> | 'waiting' | 'running';
  taskId?: string | undefined;
  /** Mrkdwn; can be erased, unlike the reason. */
  outcome: string;
  stopReason?: StopReason | undefined;
  /** The id of what the step created. */
  createdId?: string | undefined;
};

/**
 * The state of a run after a step: `scheduled` when another step follows later, `approved` when the step is
 * tried again, `running` when the service makes the change. `sent` are then the attempts that may have sent
 * it: a step that is tried again sent nothing. `id` is that of the run.
 */
export type Ending = ApprovalRef &
  Pick<Outcome, 'outcome' | 'stopReason' | 'createdId' | 'taskId'> & {
    at: Date;
    waitingSince?: Date | undefined;
  } & (
    | { to: EndState; wakeAt?: Date | undefined }
    | { to: 'scheduled'; step: string; wakeAt: Date }
    | { to: 'approved' | 'running'; sent: SentAttempt[]; wakeAt: Date }
  );

/**
 * Whether the requester gets a message: about the end, about one of several approvals, or about a step
 * that took effect while another one waits. Not about an outcome that Belay still checks.
 */
export function isNews({
  state,
  runs,
  votes,
}: Pick<Approval, 'state' | 'runs' | 'votes'>): boolean {
  if (state === 'pending') return votes.length > 0;
  if (state === 'outcome_unknown') return runs.every(({ wakeAt }) => wakeAt === undefined);
  return (state === 'scheduled' || hasEnded({ state })) && state !== 'withdrawn';
}

/** When the next step is due: of several subjects, the first one. */
export function nextStepAt({ runs }: Pick<Approval, 'runs'>): Date | undefined {
  const [first, ...others] = runs
    .filter(({ state }) => state === 'scheduled')
    .flatMap(({ wakeAt }) => wakeAt ?? []);
  return first && min([first, ...others]);
}

/**
 * Whether the step may have sent its change, in one of its first `attempts` attempts. If it did not,
 * the change is somebody else's, and Belay neither claims nor undoes it.
 */
export function mayHaveSent(
  { sent }: Pick<Run, 'sent'>,
  step: string,
  attempts = Number.POSITIVE_INFINITY,
): boolean {
  return sent.some((one) => one.step === step && one.attempt <= attempts);
}

/** What is known of the last attempt of the current step that may have sent its change. */
export function findSent(
  { sent, step, startedAt }: Run,
  attempts = Number.POSITIVE_INFINITY,
): SentChange | undefined {
  const last = sent.findLast((one) => one.step === step && one.attempt <= attempts);
  return last && startedAt && { at: startedAt, taskId: last.taskId };
}

/** Whether the service makes the change of the current step in a task that Belay follows. */
export function isFollowed({ state, step, sent }: Pick<Run, 'state' | 'step' | 'sent'>): boolean {
  return state === 'running' && sent.some((one) => one.step === step && one.taskId !== undefined);
}

type Reviewed = Pick<Approval, 'breakGlass' | 'decidedAt' | 'state'>;

/** Whether it was run without approval and nobody has reviewed it, regardless of the outcome. */
export function needsReview({ breakGlass, decidedAt }: Omit<Reviewed, 'state'>): boolean {
  return breakGlass !== undefined && breakGlass.review === undefined && decidedAt !== undefined;
}

/** Whether it can be reviewed now: a running change has no outcome yet. */
export function isReviewable(approval: Reviewed): boolean {
  return needsReview(approval) && !['approved', 'running'].includes(approval.state);
}

/** Whether people other than the requester must decide or review it. */
export function needsAction(approval: Reviewed): boolean {
  return approval.state === 'pending' || needsReview(approval);
}
