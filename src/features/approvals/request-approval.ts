import { addMilliseconds } from 'date-fns';
import type { Clock } from '../../clock.ts';
import { postMessage } from '../../slack/post.ts';
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
  channelId: string;
  /** The view whose submission asks. */
  viewId: string;
  service: Pick<Service, 'connectionId' | 'organizationalUnitId'>;
  slack: SlackClient;
};

export type RequestResult =
  | { result: 'requested'; approval: Approval }
  | { result: 'asked-before' }
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
  const settings = await readSettings(wish.teamId);
  const requestedAt = clock();
  const channelId = settings.approvalsChannelId ?? wish.channelId;
  const approval = await store.create({
    id: newId(),
    teamId: wish.teamId,
    enterpriseId: wish.enterpriseId,
    connectionId: wish.service.connectionId,
    organizationalUnitId: wish.service.organizationalUnitId,
    action: wish.action,
    payload: wish.payload,
    reason: wish.reason,
    requester: wish.requester,
    channelId,
    sourceViewId: wish.viewId,
    requestedAt,
    expiresAt: addMilliseconds(requestedAt, approvalLifetimeMs),
  });
  if (!approval) return { result: 'asked-before' };

  const message = approvalMessage(approval, bind(approval), settings.approvers);
  try {
    const posted = await postMessage(wish.slack, channelId, message);
    if (posted) {
      return { result: 'requested', approval: await store.place({ ...approval, ...posted }) };
    }
  } catch (error) {
    await store.discard(approval);
    throw error;
  }
  await store.discard(approval);
  return { result: 'not-posted', channelId };
}
