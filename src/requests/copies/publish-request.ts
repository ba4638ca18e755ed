import { retryWhileLeased } from '../../database/retry-while-leased.ts';
import { addMilliseconds } from '../../dates.ts';
import type { Logger } from '../../logger.ts';
import { once } from '../../once.ts';
import { isUnreachable, isUnsendable } from '../../slack/api/error-codes.ts';
import { linkToMessage } from '../../slack/api/post.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import { type Approval, type ApprovalRef, isAboutSeveral } from '../approval.ts';
import { hasEnded } from '../approval-state.ts';
import { readStandIns } from '../people/read-stand-ins.ts';
import type { RequestContext } from '../request-context.ts';
import { readShortfall } from '../rules/read-shortfall.ts';
import { decidersOf } from '../rules/requirements.ts';
import { countRuns } from '../several/count-runs.ts';
import type { CopyKind } from '../store/tables.ts';
import { republishUndone } from '../undone-requests.ts';
import { undoButton } from '../views/approval-buttons.ts';
import { hasResults, resultsOf } from '../views/subject-results.ts';
import type { Copy } from './copy.ts';
import type { CopiesClaim, Published } from './copy-store.ts';
import {
  type CopyOutcome,
  postOrEditCopy,
  readChannelMembers,
  type Showing,
} from './post-or-edit-copy.ts';

/** Longer than Slack takes to answer, retries of its client included. */
const renderingMs = 30_000;
/** Longer than the calls for one direct message take: opened, searched and posted. */
const sendingMs = 15_000;

/**
 * Brings all messages about a request up to date with its row, and sends those that are due. One process
 * at a time, because concurrent edits could arrive in the wrong order; it checks for newer versions before
 * it ends. What takes too long for one claim is continued with the next. Resolves to when to call this
 * again, while another process renders them or it pauses. `slack`: of the workspace of the request.
 * @throws when Slack refuses for now, so that it is tried again.
 */
export async function publishRequest(
  { teamId, id }: ApprovalRef,
  slack: SlackClient,
  context: RequestContext,
): Promise<Date | undefined> {
  const { store, clock } = context;
  for (;;) {
    const at = clock();
    const until = addMilliseconds(at, renderingMs);
    const claim = await store.claimCopies({ teamId, id, at, until });
    if (!claim) return store.claimableAt({ teamId, id });
    const record: Recorder = (statement) => retryWhileLeased(statement, { ...context, until });
    const { approval } = claim;
    const { failure, ...published } = await publishCopies(claim, slack, context, record);
    const pausedUntil = failure ? undefined : pauseAfter(approval, clock());
    const isLatest = await record(() => store.finishCopies(claim, { ...published, pausedUntil }));
    if (failure) throw failure;
    // Also of the latest: the next change comes while it pauses.
    if (pausedUntil) return pausedUntil;
    if (!isLatest) continue;
    if (hasEnded(approval)) await republishUndone(approval, context);
    return undefined;
  }
}

/** How often the message of a request about several subjects is updated while they run. */
const betweenResultsMs = 2000;

function pauseAfter(approval: Approval, at: Date): Date | undefined {
  const isRunning = isAboutSeveral(approval) && countRuns(approval.runs).running > 0;
  return isRunning && approval.state !== 'pending'
    ? addMilliseconds(at, betweenResultsMs)
    : undefined;
}

type Recorder = <Result>(statement: () => Promise<Result>) => Promise<Result>;

async function publishCopies(
  claim: CopiesClaim,
  slack: SlackClient,
  context: RequestContext,
  record: Recorder,
): Promise<Published & { failure: Error | undefined }> {
  const { approval, until } = claim;
  const { store, bind, clock, readPerson } = context;
  const { teamId, version, votes } = approval;
  const action = bind(approval);
  const undo = undoButton(approval, action);
  const results = hasResults(approval) ? resultsOf(approval, bind) : undefined;
  // All reads come first: one that fails after a message was sent would lose the message's place.
  const isUndone = undo && (await store.isUndone(approval, undo));
  // A new request was checked when it was made.
  const shortfall = version > 0 ? await readShortfall(approval, action, slack, context) : [];
  const readSettings = once(() => context.readSettings(teamId));
  const readApprovers = once(async () => decidersOf(approval, action, await readSettings()));
  const isWaiting = approval.state === 'pending' && approval.messageTs !== undefined;
  const who = async () => ({ deciders: await readApprovers(), settings: await readSettings() });
  const standIns = isWaiting ? await readStandIns(approval, action, slack, who, context) : [];
  // A pending request gets a new version with each approval and whenever its approvers may have changed,
  // so more versions than approvals mean that there may be new approvers.
  if (isWaiting && version > votes.length) {
    const people = standIns.map(({ standIn }) => standIn);
    await store.noteApprovers(approval, [...(await readApprovers()), ...people]);
  }
  const behind = await store.findBehind(approval);
  const sendBy = addMilliseconds(until, -sendingMs);
  const showing: Showing = {
    approval,
    action,
    slack,
    options: { isUndone, shortfall, standIns },
    results,
    readSettings,
    readApprovers,
    mayRead: (slackUserId) => context.mayRead(teamId, slackUserId),
    readPerson: (slackUserId) => readPerson(teamId, slackUserId),
    readLink: once(() => linkToMessage(slack, approval, 'View request')),
    readMembers: once(() => readChannelMembers(slack, approval)),
    readRequester: once(() => readPerson(teamId, approval.requester)),
    async claimDirect(copy) {
      const at = clock();
      return at < sendBy && store.markAttempted(claim, copy, at);
    },
  };
  const published: Published = { upToDate: [], revoked: [], isComplete: true };
  let firstFailure: Error | undefined;
  for (const copy of behind.toSorted((one, other) => orderOf(one) - orderOf(other))) {
    const mayWait = copy.kind === 'follower' || copy.kind === 'approver';
    if (mayWait && clock() >= sendBy) {
      published.isComplete = false;
      break;
    }
    const { result, failure } = await attempt(copy, showing, context.log);
    firstFailure ??= failure;
    if (failure || result === 'not-claimed') published.isComplete = false;
    else if (result === 'revoked') published.revoked.push(copy);
    else if (result === undefined) published.upToDate.push(copy);
    // Immediately, because a message that isn't recorded must be searched for.
    else await record(() => store.recordCopy(approval, copy, result));
  }
  return { ...published, failure: firstFailure };
}

const order: CopyKind[] = ['channel', 'requester', 'follower', 'approver'];
const orderOf = ({ kind }: Copy) => order.indexOf(kind);

/** With the failure, logged; none if Slack would refuse this version of the message again. */
async function attempt(
  copy: Copy,
  showing: Showing,
  log: Logger,
): Promise<{ result: CopyOutcome; failure: Error | undefined }> {
  try {
    return { result: await postOrEditCopy(copy, showing), failure: undefined };
  } catch (error) {
    const { id, state, teamId } = showing.approval;
    const fields = { teamId, approvalId: id, state, copy: copy.kind, err: error };
    if (isUnreachable(error) || isUnsendable(error)) {
      log.warn(fields, 'a copy of a request is out of reach or refused');
      return { result: undefined, failure: undefined };
    }
    log.error(fields, 'a copy of a request could not be updated');
    const failure = error instanceof Error ? error : new Error(String(error));
    return { result: undefined, failure };
  }
}
