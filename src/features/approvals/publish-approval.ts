import type { Clock } from '../../clock.ts';
import { retryWhileLeased } from '../../database/retry-while-leased.ts';
import { addMilliseconds } from '../../dates.ts';
import type { Logger } from '../../logger.ts';
import { once } from '../../once.ts';
import { isUnreachable } from '../../slack/api/error-codes.ts';
import type { Person } from '../../slack/api/person.ts';
import {
  linkToMessage,
  type MessageRef,
  sendDirectMessage,
  updateMessage,
} from '../../slack/api/post.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import type { Access } from '../access/index.ts';
import type { WorkspaceSettings } from '../workspaces/index.ts';
import type { Action } from './action.ts';
import type { Approval, ApprovalRef } from './approval.ts';
import { hasEnded, isNews } from './approval-state.ts';
import { needsAction } from './break-glass/needs-review.ts';
import type { BindAction } from './define-action.ts';
import type { ClaimDirect } from './people/copy-outcome.ts';
import { readChannelMembers } from './people/notify-approver.ts';
import { notifyFollowers } from './people/notify-followers.ts';
import { readStandIns } from './people/read-stand-ins.ts';
import { readShortfall } from './rules/read-shortfall.ts';
import { decidersOf } from './rules/requirements.ts';
import type { ApprovalStore } from './store/approval-store.ts';
import type { RenderedCopies, RenderingClaim } from './store/publishing.ts';
import { republishUndone } from './undone-requests.ts';
import { undoButton } from './views/approval-buttons.ts';
import { approvalMessage, requesterMessage } from './views/approval-message.ts';
import { type BulkResult, hasResults, resultOf } from './views/bulk-results.ts';
import type { StateOptions } from './views/format-state.ts';

export type PublishDependencies = {
  /** Of the workspace of the request. */
  slack: SlackClient;
  store: Pick<
    ApprovalStore,
    | 'claimRendering'
    | 'markRendered'
    | 'followersBehind'
    | 'noteApprovers'
    | 'markDirectAttempted'
    | 'markFollowerNotified'
    | 'markFollowersUpToDate'
    | 'removeFollowers'
    | 'isUndone'
    | 'findEarlier'
    | 'republishEnded'
    | 'listChildren'
  >;
  bind: BindAction;
  readSettings: (teamId: string) => Promise<WorkspaceSettings>;
  readPerson: (teamId: string, slackUserId: string) => Promise<Person>;
  listMembers: Access['listMembers'];
  listStandIns: Access['listStandIns'];
  clock: Clock;
  log: Logger;
};

/** Longer than Slack takes to answer, retries of its client included. */
const renderingMs = 30_000;
/** Longer than the calls for one direct message take: opened, searched and posted. */
const sendingMs = 15_000;

/**
 * Updates the messages of a request from its row: the channel's, the requester's, those of followers
 * and approvers, and sends those that are due. One process at a time, because concurrent edits could
 * arrive in the wrong order; it checks for newer versions before it ends. What takes too long for one
 * claim is continued with the next. @throws when Slack refuses for now, so that it is tried again.
 */
export async function publishApproval(
  { teamId, id }: ApprovalRef,
  dependencies: PublishDependencies,
): Promise<void> {
  const { store, clock } = dependencies;
  const ref = { teamId, id };
  for (;;) {
    const at = clock();
    const until = addMilliseconds(at, renderingMs);
    const claim = await store.claimRendering({ ...ref, at, until });
    if (!claim) return;
    const record: Recorder = (statement) => retryWhileLeased(statement, { ...dependencies, until });
    const children = hasResults(claim) ? await store.listChildren(claim) : undefined;
    const { rendered, failure, isComplete } = await renderCopies(
      { ...claim, children },
      dependencies,
      record,
    );
    const isLatest = await record(() => store.markRendered(claim, rendered));
    if (failure) throw failure;
    if (!isLatest || !isComplete) continue;
    // A bulk request is undone by its subjects.
    const ended = hasEnded(claim) ? (children ?? [claim]) : [];
    for (const one of ended) await republishUndone(one, dependencies);
    return;
  }
}

type Recorder = <Result>(statement: () => Promise<Result>) => Promise<Result>;

type Showing = PublishDependencies &
  StateOptions & {
    claimDirect: ClaimDirect;
    /** Of a bulk request, once it was approved. */
    results: BulkResult[] | undefined;
    readLink: () => Promise<string>;
    /** Who decides now: Slack user ids. */
    readApprovers: () => Promise<string[]>;
  };

/** Not complete if there was no time for all direct messages. */
type Rendering = { rendered: RenderedCopies; failure: Error | undefined; isComplete: boolean };

async function renderCopies(
  { children, ...approval }: RenderingClaim & { children: Approval[] | undefined },
  dependencies: PublishDependencies,
  record: Recorder,
): Promise<Rendering> {
  const { version, votes, until } = approval;
  const { clock } = dependencies;
  const action = dependencies.bind(approval);
  const undo = undoButton(approval, action);
  const results = children?.map((child) => resultOf(child, dependencies.bind(child)));
  // All reads come first: one that fails after a message was sent would lose the message's place.
  const isUndone = undo && (await dependencies.store.isUndone(approval, undo));
  // A new request was checked when it was made.
  const shortfall = version > 0 ? await readShortfall(approval, action, dependencies) : [];
  const { readPerson } = dependencies;
  const readSettings = once(() => dependencies.readSettings(approval.teamId));
  const readApprovers = once(async () => decidersOf(approval, action, await readSettings()));
  // A pending request gets a new version with each approval and whenever its approvers may have changed,
  // so more versions than approvals mean that there may be new approvers.
  const isWaiting = approval.state === 'pending' && approval.messageTs !== undefined;
  const hasNewSetup = version > votes.length;
  const mayHaveNewApprovers = isWaiting && hasNewSetup;
  const readDeciders = async () => ({
    deciders: await readApprovers(),
    settings: await readSettings(),
  });
  const standIns = isWaiting
    ? await readStandIns(approval, action, dependencies.slack, readDeciders, dependencies)
    : [];
  if (mayHaveNewApprovers) {
    const people = standIns.map(({ standIn }) => standIn);
    await dependencies.store.noteApprovers(approval, [...(await readApprovers()), ...people]);
  }
  const followers =
    mayHaveNewApprovers || approval.hasFollowersBehind
      ? await dependencies.store.followersBehind(approval)
      : [];
  const readLink = once(() => linkToMessage(dependencies.slack, approval, 'View request'));
  const readMembers = once(() => readChannelMembers(dependencies.slack, approval));
  const readRequester = once(() => readPerson(approval.teamId, approval.requester));
  const sendBy = addMilliseconds(until, -sendingMs);
  const claimDirect: ClaimDirect = async (to) => {
    const at = clock();
    return at < sendBy && dependencies.store.markDirectAttempted(approval, { ...to, at });
  };
  const showing = {
    ...dependencies,
    claimDirect,
    isUndone,
    results,
    shortfall,
    standIns,
    readLink,
    readApprovers,
    readMembers,
    readRequester,
  };
  const rendered: RenderedCopies = {};
  const channel = await attempt('channel', approval, dependencies, () =>
    updateInChannel(approval, action, showing),
  );
  // A message whose place was never recorded is rendered once somebody clicks on it.
  if (!channel.failure && approval.messageTs) rendered.renderedVersion = version;
  const { result: sent, ...requester } = await attempt('requester', approval, dependencies, () =>
    notifyRequester(approval, action, showing),
  );
  const isClaimed = sent !== 'not-claimed';
  if (isClaimed) rendered.direct = sent;
  if (!requester.failure && isClaimed) rendered.notifiedVersion = version;
  const notified = await notifyFollowers(approval, action, followers, {
    ...showing,
    sendBy,
    record,
    readSettings,
    attempt: (kind, notify) => attempt(kind, approval, dependencies, notify),
  });
  return {
    rendered,
    failure: channel.failure ?? requester.failure ?? notified.failure,
    isComplete: isClaimed && notified.isComplete,
  };
}

/** With the failure, logged; none for a message that can never be updated again. */
async function attempt<Result>(
  copy: 'channel' | 'requester' | 'follower' | 'approver',
  { id, state, teamId }: Approval,
  { log }: PublishDependencies,
  render: () => Promise<Result>,
): Promise<{ result: Result | undefined; failure: Error | undefined }> {
  try {
    return { result: await render(), failure: undefined };
  } catch (error) {
    const fields = { teamId, approvalId: id, state, copy, err: error };
    if (isUnreachable(error)) {
      log.warn(fields, 'a copy of a request is out of reach');
      return { result: undefined, failure: undefined };
    }
    log.error(fields, 'a copy of a request could not be updated');
    const failure = error instanceof Error ? error : new Error(String(error));
    return { result: undefined, failure };
  }
}

async function updateInChannel(
  approval: Approval,
  action: Action,
  { slack, readApprovers, isUndone, results, shortfall, standIns }: Showing,
): Promise<void> {
  const { channelId, messageTs } = approval;
  if (!messageTs || approval.renderedVersion >= approval.version) return;
  // Only if they have something to do.
  const approvers = needsAction(approval) ? await readApprovers() : [];
  const shown = approvalMessage(approval, action, approvers, {
    isUndone,
    results,
    shortfall,
    standIns,
  });
  await updateMessage(slack, { channelId, messageTs }, shown);
}

/** Sends the message at the first version worth notifying; later versions update it. */
async function notifyRequester(
  approval: Approval,
  action: Action,
  { slack, claimDirect, isUndone, shortfall, standIns, readLink, readApprovers }: Showing,
): Promise<MessageRef | 'not-claimed' | undefined> {
  const { id: key, requester, directChannelId: channelId, directTs: messageTs } = approval;
  if (approval.notifiedVersion >= approval.version) return undefined;
  const show = async () => {
    const approvers = needsAction(approval) ? await readApprovers() : [];
    const link = await readLink();
    return requesterMessage(approval, action, { approvers, link, isUndone, shortfall, standIns });
  };
  if (channelId && messageTs) {
    await updateMessage(slack, { channelId, messageTs }, await show());
    return undefined;
  }
  if (!isNews(approval)) return undefined;
  const message = await show();
  if (!(await claimDirect({ slackUserId: requester, kind: 'requester' }))) return 'not-claimed';
  const { directAttemptedAt: attemptedAt } = approval;
  return sendDirectMessage(slack, requester, message, { key, attemptedAt });
}
