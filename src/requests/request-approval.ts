import { randomUUID } from 'node:crypto';
import { addHours, addMilliseconds } from '../dates.ts';
import { isDirectChannel } from '../slack/api/channel.ts';
import { isDefinitelyNotPosted } from '../slack/api/error-codes.ts';
import { type MessageRef, postMessage } from '../slack/api/post.ts';
import type { SlackClient } from '../slack/api/slack-client.ts';
import type { Message } from '../slack/ui/blocks.ts';
import type { Check } from './action.ts';
import type { Approval, NewApproval, NewRun } from './approval.ts';
import { checkRequest, type PlannedRequest, type RequestRefusal } from './check-request.ts';
import type { PreparedAction } from './define-action.ts';
import { type LimitExcess, refuseExcess } from './hourly-limit.ts';
import { readStandIns } from './people/read-stand-ins.ts';
import type { RequestContext } from './request-context.ts';
import type { Requirements } from './rules/requirements.ts';
import type { PreparedSubject } from './several/inspect-subjects.ts';
import { approvalLifetimeMs, postingMs } from './timings.ts';
import { approvalMessage } from './views/approval-message.ts';

/** `viewId`: of the form whose submission makes the request. */
export type SubmissionFields = { viewId: string };

export type ApprovalInput = PlannedRequest & SubmissionFields & RequestInput;

/** What a form requests. */
export type RequestInput = {
  /** The action with its payload and its subject, which was read for this submission. */
  prepared: PreparedAction;
  /** If there are several: as `inspectSubjects` found them for this submission. */
  subjects?: PreparedSubject[] | undefined;
  reason: string;
  /** Where it was requested; the approvals channel, when there is one, takes its place. */
  channelId: string | undefined;
  /** Who submits it from the command line in the requester's name, if that is somebody else. */
  submittedBy?: string | undefined;
  /** True to run it now, without approval. */
  isBreakGlass?: boolean | undefined;
  /** True if the person was asked about an open request for the same change. */
  isRepeat?: boolean | undefined;
  /** Called once the request is there, so that its form can be forgotten. */
  onRequested?: (() => Promise<void>) | undefined;
};

export type RequestResult =
  | { result: 'requested'; approval: Approval }
  | { result: 'requested-before' }
  /** The same change is requested already. */
  | { result: 'already-open'; approval: Approval }
  | { result: 'connection_replaced' }
  /** Only the requester would see it. */
  | { result: 'no_audience' }
  | RequestRefusal
  /** A run without approval that became invalid while it was announced. */
  | { result: 'not_started'; why: string }
  | LimitExcess
  | { result: 'not_posted'; channelId: string };

/**
 * Records a request and posts it where it can be decided. One that can't be posted is discarded.
 * @throws WebApiError when Slack's answer is missing: the request may have been posted.
 */
export async function requestApproval(
  input: ApprovalInput,
  context: RequestContext,
): Promise<RequestResult> {
  const { store, bind, clock } = context;
  const { teamId, slack, prepared, settings } = input;
  const { action, subject } = prepared;
  const channelId = settings.approvalsChannel ?? input.channelId;
  if (channelId === undefined || isDirectChannel(channelId)) return { result: 'no_audience' };

  const id = randomUUID();
  const [preview, checked] = await Promise.all([
    subject.preview(),
    checkRequest({ ...input, id }, context),
  ]);
  if ('refusal' in checked) return checked.refusal;
  const several = input.subjects?.map((one) => one.prepared);
  const excess = several && (await refuseExcess(input, several, context));
  if (excess) return excess;

  const facts = { id, channelId, preview, checks: checked.checks, ...checked.requirements };
  const { isRepeat } = input;
  const { supersedes } = prepared;
  const by = { requester: input.requester.slackUserId };
  const who = async () => ({ deciders: facts.approvers, settings });
  const standIns = await readStandIns(by, action, slack, who, context);
  const approvers = [...facts.approvers, ...standIns.map(({ standIn }) => standIn)];
  const approval = newApproval(input, { ...facts, approvers }, clock());
  const created = await store.create(approval, { isRepeat, supersedes });
  if (created.result !== 'created') return created;
  const discard = () => store.discard({ teamId, id, at: clock() });
  const message = approvalMessage(created.approval, bind(created.approval), facts.approvers, {
    standIns,
  });
  const posted = await postOrDiscard(slack, { channelId, message, discard });
  if (!posted) return { result: 'not_posted', channelId };
  const requested = await store.recordMessage({ teamId, id, ...posted });
  // Only now: a request that can't be posted replaces none.
  if (requested.state === 'pending') await store.voidSuperseded(requested, supersedes, clock());
  return { result: 'requested', approval: requested };
}

/** What is stored for a request; `facts` are the results of its checks. */
export function newApproval(
  { prepared, subjects = [], ...input }: ApprovalInput,
  {
    checks,
    ...facts
  }: Pick<NewApproval, 'id' | 'channelId' | 'preview'> & Requirements & { checks: Check[] },
  at: Date,
): NewApproval {
  const { action, target } = prepared;
  const [first, ...others] = subjects;
  const runs: NewApproval['runs'] =
    first && others.length > 0
      ? [newRun(first, randomUUID()), ...others.map((one) => newRun(one, randomUUID()))]
      : [newRun({ prepared, checks }, facts.id)];
  return {
    ...facts,
    teamId: input.teamId,
    connectionId: target.connectionId,
    connectionName: target.connectionName,
    action: prepared.name,
    reason: input.reason,
    requester: input.requester.slackUserId,
    submittedBy: input.submittedBy,
    personal: { summary: action.summary, ...action.audited },
    sourceViewId: input.viewId,
    requestedAt: at,
    postBy: addMilliseconds(at, postingMs),
    expiresAt: facts.rule
      ? addHours(at, facts.rule.hoursToDecide)
      : addMilliseconds(at, approvalLifetimeMs),
    runs,
  };
}

function newRun(
  { prepared: { payload, action, subject }, checks }: PreparedSubject,
  id: string,
): NewRun {
  return {
    id,
    payload,
    checks,
    subjectId: action.subjectId,
    snapshot: subject.snapshot,
    step: action.steps[0].name,
    personal: { summary: action.summary, ...action.audited },
  };
}

/** Where the request was posted; undefined, without a request, where Belay can't post. */
export async function postOrDiscard(
  slack: SlackClient,
  {
    channelId,
    message,
    discard,
  }: { channelId: string; message: Message; discard: () => Promise<void> },
): Promise<MessageRef | undefined> {
  try {
    const posted = await postMessage(slack, channelId, message);
    if (!posted) await discard();
    return posted;
  } catch (error) {
    // Without an answer it may have been posted: then it can be decided there, else it is voided.
    if (isDefinitelyNotPosted(error)) await discard();
    throw error;
  }
}
