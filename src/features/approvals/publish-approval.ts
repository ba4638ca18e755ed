import { addMilliseconds } from 'date-fns/addMilliseconds';
import type { Clock } from '../../clock.ts';
import type { Logger } from '../../logger.ts';
import { isUnreachable } from '../../slack/api/error-codes.ts';
import { type MessageRef, sendDirectMessage, updateMessage } from '../../slack/api/post.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import type { WorkspaceSettings } from '../workspaces/index.ts';
import { type Approval, isNews } from './approval.ts';
import type { ApprovalRef, ApprovalStore, Drawn } from './approval-store.ts';
import type { BindAction, BoundAction } from './bind-action.ts';
import { approvalMessage } from './views/approval-message.ts';
import { requesterMessage } from './views/requester-message.ts';

export type PublishDependencies = {
  slack: SlackClient;
  store: Pick<ApprovalStore, 'claimDrawing' | 'markDrawn'>;
  bind: BindAction;
  readSettings: (teamId: string) => Promise<WorkspaceSettings>;
  clock: Clock;
  log: Logger;
};

/** Longer than Slack takes to answer, retries of its client included. */
const drawingMs = 30_000;

/**
 * Draws a request from its row in every copy: its channel's and the requester's. One at a time, because
 * two edits under way could arrive in the wrong order; whoever draws looks again afterwards. Throws
 * when Slack refuses for now: the job comes again.
 */
export async function publishApproval(
  { teamId, id }: ApprovalRef,
  dependencies: PublishDependencies,
): Promise<void> {
  const { store, clock } = dependencies;
  const ref = { teamId, id };
  for (;;) {
    const at = clock();
    const until = addMilliseconds(at, drawingMs);
    const approval = await store.claimDrawing({ ...ref, at, until });
    if (!approval) return;
    const { drawn, failure } = await drawCopies(approval, dependencies);
    const isLatest = await store.markDrawn({ ...ref, ...drawn });
    if (failure) throw failure;
    if (isLatest) return;
  }
}

async function drawCopies(
  approval: Approval,
  dependencies: PublishDependencies,
): Promise<{ drawn: Drawn; failure: Error | undefined }> {
  const { version } = approval;
  const action = dependencies.bind(approval);
  const drawn: Drawn = {};
  const inChannel = await attempt('channel', approval, dependencies, async () => {
    await drawInChannel(approval, action, dependencies);
  });
  // Where nobody knows the message, it is still to be drawn once somebody finds it.
  if (!inChannel && approval.messageTs) drawn.renderedVersion = version;
  const forRequester = await attempt('requester', approval, dependencies, async () => {
    drawn.direct = await notifyRequester(approval, action, dependencies);
  });
  if (!forRequester) drawn.notifiedVersion = version;
  return { drawn, failure: inChannel ?? forRequester };
}

/** What went wrong, logged. A copy that is gone for good has no truth to tell any more. */
async function attempt(
  copy: 'channel' | 'requester',
  { id, state, teamId }: Approval,
  { log }: PublishDependencies,
  draw: () => Promise<void>,
): Promise<Error | undefined> {
  try {
    await draw();
    return undefined;
  } catch (error) {
    const fields = { teamId, approvalId: id, state, copy, err: error };
    if (isUnreachable(error)) {
      log.warn(fields, 'a copy of a request is out of reach');
      return undefined;
    }
    log.error(fields, 'a copy of a request could not be drawn');
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function drawInChannel(
  approval: Approval,
  action: BoundAction,
  { slack, readSettings }: PublishDependencies,
): Promise<void> {
  const { teamId, channelId, messageTs } = approval;
  if (!messageTs || approval.renderedVersion >= approval.version) return;
  const { approvers } = await readSettings(teamId);
  await updateMessage(
    slack,
    { channelId, messageTs },
    approvalMessage(approval, action, approvers),
  );
}

/** The first news makes the copy; what follows redraws it. */
async function notifyRequester(
  approval: Approval,
  action: BoundAction,
  { slack }: PublishDependencies,
): Promise<MessageRef | undefined> {
  const { directChannelId: channelId, directTs: messageTs } = approval;
  if (approval.notifiedVersion >= approval.version) return undefined;
  if (channelId && messageTs) {
    await updateMessage(slack, { channelId, messageTs }, requesterMessage(approval, action));
    return undefined;
  }
  if (!isNews(approval)) return undefined;
  return sendDirectMessage(slack, approval.requester, requesterMessage(approval, action));
}
