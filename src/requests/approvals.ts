import { subDays } from '../dates.ts';
import { createMessageLinks } from '../slack/api/message-links.ts';
import type { Interaction } from '../slack/interactions/interaction.ts';
import type { Message } from '../slack/ui/blocks.ts';
import { addReference } from '../tracing.ts';
import { type ApprovalRef, referenceOf } from './approval.ts';
import { createRunReviews } from './break-glass/review-runs.ts';
import { runBreakGlass } from './break-glass/run-break-glass.ts';
import { plannedBy, type RequestingCall } from './check-request.ts';
import { publishRequest } from './copies/publish-request.ts';
import { createDecisions } from './decisions.ts';
import type { PreparedAction } from './define-action.ts';
import { describeOpen } from './list/describe-open.ts';
import { listStartedTasks } from './list/list-started-tasks.ts';
import type { LostBySetup } from './list/list-store.ts';
import { listWaiting } from './list/list-waiting.ts';
import { type HomeReader, showHomeRequests } from './list/show-home-requests.ts';
import { type DecideInListInput, decideInList, showRequests } from './list/show-requests.ts';
import { askAboutOpen, followRequest } from './people/follow-request.ts';
import { logMissingRight, logOutsider } from './people/log-outsider.ts';
import { createReminders } from './reminders/send-reminders.ts';
import { type RequestInput, requestApproval, type SubmissionFields } from './request-approval.ts';
import { createRequestContext, type RequestContext, type RequestParts } from './request-context.ts';
import { createRequestWork } from './request-work.ts';
import { advanceRun, passDeadline } from './run/advance-approval.ts';
import { inspectSubjects } from './several/inspect-subjects.ts';
import type { DueRef } from './store/running.ts';
import { retentionDays } from './timings.ts';
import { hideUndo } from './undone-requests.ts';
import {
  alreadyOpenMessage,
  requestNotSentMessage,
  requestSentMessage,
} from './views/requested-message.ts';
import { type PlannedAction, warnOfRefusal } from './warn-of-refusal.ts';

export type Approvals = ReturnType<typeof createApprovals>;

/** The engine of requests, from which features request and their listeners answer. */
export function createApprovals(parts: RequestParts) {
  const context = createRequestContext(parts);
  const { bind, clients, store, clock } = context;
  // Many people see the same requests on their Home tabs.
  const linkToRequest = createMessageLinks();
  // Where Belay isn't installed it remains due.
  const advance = async ({ of, approvalId, ...ref }: DueRef) => {
    addReference(referenceOf({ id: approvalId }));
    if (!(await clients.find(ref))) return;
    await (of === 'request' ? passDeadline(ref, context) : advanceRun(ref, context));
  };
  const publish = async (ref: ApprovalRef) => {
    addReference(referenceOf(ref));
    const slack = await clients.find(ref);
    return slack && publishRequest(ref, slack, context);
  };
  const decisions = createDecisions(context, publish);
  const reviews = createRunReviews(context);
  /** Lets callers use it without the context. */
  const offer =
    <Input, Result>(useCase: (input: Input, context: RequestContext) => Result) =>
    (input: Input) =>
      useCase(input, context);

  return {
    /** Requests a second person's approval, or runs without; resolves to the reply for the requester. */
    request: (call: RequestingCall & SubmissionFields, asked: RequestInput) =>
      sendRequest(call, asked, context),
    /** Checks each subject of a request about several, and all of them against the limit. */
    inspectSubjects: async (call: RequestingCall, prepared: PreparedAction[]) =>
      inspectSubjects({ ...(await plannedBy(call)), prepared }, context),
    /** Warns in a form that its request would be refused: mrkdwn; undefined if it could be made. */
    warnOfRefusal: (call: RequestingCall, asked: PlannedAction) =>
      warnOfRefusal(call, asked, context),
    /** The question to ask a person who wants a change that is requested already; else undefined. */
    askAboutOpen: offer(askAboutOpen),
    /** Follows a request; resolves to the reply. */
    follow: offer(followRequest),

    /** The request and its action for the form of a decision, or the refusal. */
    openDecision: decisions.openDecision,
    /** Decides, cancels or aborts; resolves to the reply for a person who was refused, if any. */
    decide: decisions.decide,
    /** The run and its action for the form of a review, or the refusal. */
    openReview: reviews.openReview,
    /** Marks a run without approval as reviewed; resolves to the reply. */
    review: reviews.review,
    /** Removes the undo button from the request that was clicked on: its change was undone already. */
    hideUndo: offer(hideUndo),
    /** Logs the refusal of somebody who is not a full member of the workspace. */
    logOutsider: offer(logOutsider),
    logMissingRight: offer(logMissingRight),

    /** The request as it is stored. */
    find: (ref: ApprovalRef) => store.find(ref),
    /** The exact text that a request sends; undefined if there is none. */
    async readBody(ref: ApprovalRef): Promise<string | undefined> {
      const approval = await store.find(ref);
      return approval && bind(approval).requestBody;
    },
    /** The waiting requests that a save of the setup voids. */
    listWaiting: (teamId: string, lost: LostBySetup) => listWaiting(teamId, lost, context),
    /** The last tasks that Belay started on a connection. */
    listStartedTasks: (call: Interaction, originId: string) =>
      listStartedTasks(call, originId, context),
    /** What the person may decide, or else their own open requests; undefined without any. */
    describeOpen: offer(describeOpen),
    /** What waits for a person, for their Home tab. */
    showOnHome: (reader: HomeReader) => showHomeRequests(reader, linkToRequest, context),
    /** A page of the open requests, for a person to read. */
    showRequests: offer(showRequests),
    /** Decides a request of such a page; resolves to the page as it is then. */
    decideInList: (input: DecideInListInput) => decideInList(input, decisions.decide, context),

    /** Makes the changes that are due, and updates outdated messages. */
    work: createRequestWork({ ...context, advance, publish }),
    /** Queues the reminders that are due. */
    remind: createReminders(context),
    /** Deletes requests that ended long ago; once an hour is enough. */
    prune: () => store.prune(subDays(clock(), retentionDays)),
  };
}

/** Requests the change, or makes it without approval. Logs a refusal. */
async function sendRequest(
  call: RequestingCall & SubmissionFields,
  asked: RequestInput,
  context: RequestContext,
): Promise<Message> {
  const input = { ...asked, ...(await plannedBy(call)), viewId: call.viewId };
  const send = input.isBreakGlass ? runBreakGlass : requestApproval;
  const requested = await send(input, context);
  const { teamId, prepared, subjects = [{ prepared }], requester } = input;
  if (requested.result === 'already-open') {
    const { approval } = requested;
    return alreadyOpenMessage(approval, context.bind(approval), input);
  }
  if (requested.result === 'requested') {
    await input.onRequested?.();
    return requestSentMessage(requested.approval, prepared.action);
  }
  if (requested.result === 'requested-before') {
    await input.onRequested?.();
    return requestNotSentMessage(requested, input.reason);
  }
  await context.store.logRefusal({
    teamId,
    by: requester.slackUserId,
    submittedBy: input.submittedBy,
    attempt: input.isBreakGlass ? 'break_glass' : 'request',
    reason: requested.result === 'guarded' ? requested.guard : requested.result,
    about: {
      action: prepared.name,
      runs: subjects.map((one) => one.prepared.action),
      subject: prepared.action.audited.subject,
    },
    at: context.clock(),
  });
  return requestNotSentMessage(requested, input.reason);
}
