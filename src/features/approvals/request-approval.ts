import { addMilliseconds } from 'date-fns/addMilliseconds';
import type { Clock } from '../../clock.ts';
import type { Message } from '../../slack/blocks.ts';
import { isDirectChannel } from '../../slack/channel.ts';
import { type MessageRef, postMessage } from '../../slack/post.ts';
import type { SlackClient } from '../../slack/slack-client.ts';
import type { Service, WorkspaceSettings } from '../workspaces/workspaces.ts';
import type { BindAction } from './approvable-action.ts';
import { type Approval, approvalLifetimeMs } from './approval.ts';
import { approvalMessage } from './approval-message.ts';
import type { ApprovalStore } from './approval-store.ts';

export type ApprovalWish = {
  teamId: string;
  enterpriseId: string | undefined;
  requester: string;
  action: string;
  payload: unknown;
  reason: string;
  /** Where it was asked; the approvals channel, when there is one, takes its place. */
  channelId: string | undefined;
  /** The view whose submission asks. */
  viewId: string;
  service: Pick<Service, 'connectionId' | 'organizationalUnitId'>;
  slack: SlackClient;
};

export type RequestResult =
  | { result: 'requested'; approval: Approval }
  | { result: 'asked-before' }
  | { result: 'connection-replaced' }
  /** Only the asker would see it. */
  | { result: 'no-audience' }
  /** The asker is the only one who may decide. */
  | { result: 'no-approver' }
  | { result: 'not-posted'; channelId: string };

export type RequestDependencies = {
  store: Pick<ApprovalStore, 'create' | 'place' | 'discard'>;
  bind: BindAction;
  readSettings: (teamId: string) => Promise<WorkspaceSettings>;
  clock: Clock;
  newId: () => string;
};

/** Records a request and posts it where it can be decided. What cannot be posted does not exist. */
export async function requestApproval(
  wish: ApprovalWish,
  { store, bind, readSettings, clock, newId }: RequestDependencies,
): Promise<RequestResult> {
  const { teamId, requester } = wish;
  const { approvers, approvalsChannelId } = await readSettings(teamId);
  const channelId = approvalsChannelId ?? wish.channelId;
  if (channelId === undefined || isDirectChannel(channelId)) return { result: 'no-audience' };
  if (approvers.length > 0 && approvers.every((approver) => approver === requester)) {
    return { result: 'no-approver' };
  }

  // Before anything is stored: a payload that its action cannot read must not become a request.
  const action = bind(wish);
  const requestedAt = clock();
  const approval = await store.create({
    id: newId(),
    teamId,
    enterpriseId: wish.enterpriseId,
    connectionId: wish.service.connectionId,
    organizationalUnitId: wish.service.organizationalUnitId,
    action: wish.action,
    payload: wish.payload,
    reason: wish.reason,
    requester,
    channelId,
    sourceViewId: wish.viewId,
    requestedAt,
    expiresAt: addMilliseconds(requestedAt, approvalLifetimeMs),
  });
  if (typeof approval === 'string') return { result: approval };

  const message = approvalMessage(approval, action, approvers);
  const posted = await postOrDiscard(wish, approval, message, store);
  if (!posted) return { result: 'not-posted', channelId };
  return { result: 'requested', approval: await store.place({ ...approval, ...posted }) };
}

async function postOrDiscard(
  { slack }: ApprovalWish,
  approval: Approval,
  message: Message,
  store: Pick<ApprovalStore, 'discard'>,
): Promise<MessageRef | undefined> {
  try {
    const posted = await postMessage(slack, approval.channelId, message);
    if (!posted) await store.discard(approval);
    return posted;
  } catch (error) {
    await store.discard(approval);
    throw error;
  }
}
