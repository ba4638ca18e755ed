import { addMilliseconds } from 'date-fns/addMilliseconds';
import type { Clock } from '../../clock.ts';
import { retryWhileLeased } from '../../database/retry-while-leased.ts';
import type { Logger } from '../../logger.ts';
import { isUnreachable } from '../../slack/api/error-codes.ts';
import type { Person } from '../../slack/api/person.ts';
import {
  linkToMessage,
  type MessageRef,
  sendDirectMessage,
  updateMessage,
} from '../../slack/api/post.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import type { WorkspaceSettings } from '../workspaces/index.ts';
import type { Approval, ApprovalRef } from './approval.ts';
import { hasEnded, isNews } from './approval-state.ts';
import type { BindAction } from './bind-action.ts';
import type { BoundAction } from './bound-action.ts';
import { notifyFollower } from './people/follow-request.ts';
import { notifyApprover, readChannelMembers } from './people/notify-approver.ts';
import type { ApprovalStore } from './store/approval-store.ts';
import type { RenderedCopies } from './store/publishing.ts';
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
    | 'isUndone'
    | 'findEarlier'
    | 'republishEnded'
    | 'listChildren'
  >;
  bind: BindAction;
  readSettings: (teamId: string) => Promise<WorkspaceSettings>;
  readPerson: (teamId: string, slackUserId: string) => Promise<Person>;
  clock: Clock;
  log: Logger;
};

/** Longer than Slack takes to answer, retries of its client included. */
const renderingMs = 30_000;

/**
 * Updates the messages of a request from its row: the channel's, the requester's, those of followers
 * and approvers, and sends those that are due. One process at a time, because concurrent edits could
 * arrive in the wrong order; it checks for newer versions before it ends. @throws when Slack refuses for now, so that the job is retried.
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
    const approval = await store.claimRendering({ ...ref, at, until });
    if (!approval) return;
    const record = <Result>(statement: () => Promise<Result>) =>
      retryWhileLeased(statement, { ...dependencies, until });
    const children = hasResults(approval) ? await store.listChildren(approval) : undefined;
    const { rendered, failure } = await renderCopies(
      { ...approval, children },
      dependencies,
      record,
    );
    const isLatest = await record(() => store.markRendered(approval, rendered));
    if (failure) throw failure;
    if (!isLatest) continue;
    // What a bulk request undoes, each of its subjects does.
    const ended = hasEnded(approval) ? (children ?? [approval]) : [];
    for (const one of ended) await republishUndone(one, dependencies);
    return;
  }
}

type Showing = PublishDependencies &
  StateOptions & {
    /** Of a bulk request, once it was approved. */
    results: BulkResult[] | undefined;
    readLink: () => Promise<string>;
    /** Who decides now: Slack user ids. */
    readApprovers: () => Promise<string[]>;
  };

async function renderCopies(
  { children, ...approval }: Approval & { children: Approval[] | undefined },
  dependencies: PublishDependencies,
  record: (statement: () => Promise<void>) => Promise<void>,
): Promise<{ rendered: RenderedCopies; failure: Error | undefined }> {
  const { version } = approval;
  const action = dependencies.bind(approval);
  const undo = undoButton(approval, action);
  const results = children?.map((child) => resultOf(child, dependencies.bind(child)));
  // All reads come first: one that fails after a message was sent would lose the message's place.
  const isUndone = undo && (await dependencies.store.isUndone(approval, undo));
  const readApprovers = once(async () =>
    action.approvers((await dependencies.readSettings(approval.teamId)).approvers),
  );
  // The approvers of a new request are noted with it; later ones when the setup has changed.
  if (approval.state === 'pending' && version > 0 && approval.messageTs) {
    await dependencies.store.noteApprovers(approval, await readApprovers());
  }
  const followers = await dependencies.store.followersBehind(approval);
  const readLink = once(() => linkToMessage(dependencies.slack, approval, 'View request'));
  const readMembers = once(() => readChannelMembers(dependencies.slack, approval));
  const readRequester = once(() => dependencies.readPerson(approval.teamId, approval.requester));
  const showing = {
    ...dependencies,
    isUndone,
    results,
    readLink,
    readApprovers,
    readMembers,
    readRequester,
  };
  const rendered: RenderedCopies = {};
  const channelFailure = await attempt('channel', approval, dependencies, async () => {
    await updateInChannel(approval, action, showing);
  });
  // A message whose place was never recorded is rendered once somebody clicks on it.
  if (!channelFailure && approval.messageTs) rendered.renderedVersion = version;
  const requesterFailure = await attempt('requester', approval, dependencies, async () => {
    rendered.direct = await notifyRequester(approval, action, showing);
  });
  if (!requesterFailure) rendered.notifiedVersion = version;
  let followerFailure: Error | undefined;
  for (const follower of followers) {
    let direct: MessageRef | undefined;
    const notify = follower.kind === 'approver' ? notifyApprover : notifyFollower;
    const failure = await attempt(follower.kind, approval, dependencies, async () => {
      direct = await notify(approval, action, follower, showing);
    });
    const notified = { ...follower, direct };
    if (!failure) await record(() => dependencies.store.markFollowerNotified(approval, notified));
    followerFailure ??= failure;
  }
  return { rendered, failure: channelFailure ?? requesterFailure ?? followerFailure };
}

/** The failure, logged; none for a message that can never be updated again. */
async function attempt(
  copy: 'channel' | 'requester' | 'follower' | 'approver',
  { id, state, teamId }: Approval,
  { log }: PublishDependencies,
  render: () => Promise<void>,
): Promise<Error | undefined> {
  try {
    await render();
    return undefined;
  } catch (error) {
    const fields = { teamId, approvalId: id, state, copy, err: error };
    if (isUnreachable(error)) {
      log.warn(fields, 'a copy of a request is out of reach');
      return undefined;
    }
    log.error(fields, 'a copy of a request could not be updated');
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function updateInChannel(
  approval: Approval,
  action: BoundAction,
  { slack, readApprovers, isUndone, results }: Showing,
): Promise<void> {
  const { channelId, messageTs, state } = approval;
  if (!messageTs || approval.renderedVersion >= approval.version) return;
  // Only a pending request names its approvers.
  const approvers = state === 'pending' ? await readApprovers() : [];
  const shown = approvalMessage(approval, action, approvers, { isUndone, results });
  await updateMessage(slack, { channelId, messageTs }, shown);
}

/** Sends the message at the first version worth notifying; later versions update it. */
async function notifyRequester(
  approval: Approval,
  action: BoundAction,
  { slack, store, clock, isUndone, readLink, readApprovers }: Showing,
): Promise<MessageRef | undefined> {
  const { id: key, requester, directChannelId: channelId, directTs: messageTs } = approval;
  if (approval.notifiedVersion >= approval.version) return undefined;
  const show = async () => {
    const approvers = approval.state === 'pending' ? await readApprovers() : [];
    return requesterMessage(approval, action, { approvers, link: await readLink(), isUndone });
  };
  if (channelId && messageTs) {
    await updateMessage(slack, { channelId, messageTs }, await show());
    return undefined;
  }
  if (!isNews(approval)) return undefined;
  const message = await show();
  await store.markDirectAttempted(approval, {
    ...{ slackUserId: requester, kind: 'requester', at: clock() },
  });
  const { directAttemptedAt: attemptedAt } = approval;
  return sendDirectMessage(slack, requester, message, { key, attemptedAt });
}

/** For what only some renderings need: read at the first use, at most once. */
function once<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => {
    result ??= read();
    return result;
  };
}
