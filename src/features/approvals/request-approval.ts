import { addMilliseconds } from 'date-fns/addMilliseconds';
import type { Clock } from '../../clock.ts';
import { isDirectChannel } from '../../slack/api/channel.ts';
import { isDefinitelyNotPosted } from '../../slack/api/error-codes.ts';
import type { Person } from '../../slack/api/person.ts';
import { type MessageRef, postMessage } from '../../slack/api/post.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import type { Service, WorkspaceSettings } from '../workspaces/index.ts';
import type { Check } from './approvable-action.ts';
import { type Approval, approvalLifetimeMs, placingMs } from './approval.ts';
import type { ApprovalStore } from './approval-store.ts';
import type { BindAction, BoundAction, Look } from './bind-action.ts';
import { hashSnapshot } from './snapshot-hash.ts';
import { subjectRefusal } from './subject-refusal.ts';
import { approvalMessage } from './views/approval-message.ts';

export type ApprovalInput = {
  teamId: string;
  enterpriseId: string | undefined;
  requester: Person;
  action: string;
  payload: unknown;
  reason: string;
  /** Where it was asked; the approvals channel, when there is one, takes its place. */
  channelId: string | undefined;
  /** The view whose submission asks. */
  viewId: string;
  service: Service;
  slack: SlackClient;
};

export type RequestResult =
  | { result: 'requested'; approval: Approval }
  | { result: 'asked-before' }
  | { result: 'connection-replaced' }
  /** Only the requester would see it. */
  | { result: 'no-audience' }
  /** The requester is the only one who may decide. */
  | { result: 'no-approver' }
  /** What it is about is no longer there. */
  | { result: 'subject-gone' }
  /** A guard stands before it. */
  | { result: 'guarded'; words: string; guard: string }
  | { result: 'not-posted'; channelId: string };

export type RequestDependencies = {
  store: Pick<ApprovalStore, 'create' | 'place' | 'discard' | 'subjectsUnderWay'>;
  bind: BindAction;
  readSettings: (teamId: string) => Promise<WorkspaceSettings>;
  clock: Clock;
  newId: () => string;
};

/** Records a request and posts it where it can be decided. What cannot be posted does not exist. */
export async function requestApproval(
  wish: ApprovalInput,
  dependencies: RequestDependencies,
): Promise<RequestResult> {
  const { store, bind, readSettings, clock } = dependencies;
  const { teamId, requester, slack } = wish;
  const { approvers, approvalsChannelId } = await readSettings(teamId);
  const channelId = approvalsChannelId ?? wish.channelId;
  if (channelId === undefined || isDirectChannel(channelId)) return { result: 'no-audience' };
  if (approvers.length > 0 && approvers.every((approver) => approver === requester.slackUserId)) {
    return { result: 'no-approver' };
  }

  // Before anything is stored: a payload that its action cannot read must not become a request.
  const action = bind(wish);
  const look = await action.look(wish.service.client);
  if (!look) return { result: 'subject-gone' };
  const id = dependencies.newId();
  const checks = await lookAtGuards({ id, wish, action, look }, store);
  if ('refusal' in checks) {
    return { result: 'guarded', words: checks.refusal, guard: checks.guard };
  }

  const facts = { id, channelId, look, action, checks: checks.made };
  const approval = await store.create(newApproval(wish, facts, clock()));
  if (typeof approval === 'string') return { result: approval };

  const discard = () => store.discard({ teamId, id, at: clock() });
  const message = approvalMessage(approval, bind(approval), approvers);
  const posted = await postOrDiscard(slack, { channelId, message, discard });
  if (!posted) return { result: 'not-posted', channelId };
  return { result: 'requested', approval: await store.place({ teamId, id, ...posted }) };
}

type Asked = { id: string; wish: ApprovalInput; action: BoundAction; look: Look };

const notAboutRequester = 'not about the person who asks';

async function lookAtGuards(
  { id, wish: { teamId, requester, service }, action, look: { snapshot } }: Asked,
  store: Pick<ApprovalStore, 'subjectsUnderWay'>,
): Promise<{ refusal: string; guard: string } | { made: Check[] }> {
  const words = subjectRefusal(action.isSubject(snapshot, requester), requester);
  if (words) return { refusal: words, guard: notAboutRequester };
  const { client, connectionId, tokenOwner } = service;
  const subjectsUnderWay = await store.subjectsUnderWay({ teamId, id, connectionId });
  const checks = await action.checks(snapshot, { client, tokenOwner, subjectsUnderWay });
  const refused = checks.find(({ result }) => result === 'refused');
  if (refused) {
    return { refusal: refused.detail ?? `${refused.label}: no.`, guard: refused.label };
  }
  const ofRequester: Check = {
    label: notAboutRequester,
    result: 'passed',
    words: 'it is not about the person who asks',
  };
  return { made: [ofRequester, ...checks] };
}

function newApproval(
  wish: ApprovalInput,
  asked: { id: string; channelId: string; look: Look; action: BoundAction; checks: Check[] },
  at: Date,
) {
  const { id, channelId, look, action, checks } = asked;
  return {
    id,
    teamId: wish.teamId,
    enterpriseId: wish.enterpriseId,
    connectionId: wish.service.connectionId,
    organizationalUnitId: wish.service.organizationalUnitId,
    action: wish.action,
    payload: wish.payload,
    subjectId: action.subjectId,
    snapshot: look.snapshot,
    snapshotHash: hashSnapshot(look.snapshot),
    preview: look.preview,
    checks,
    step: action.steps[0].name,
    reason: wish.reason,
    requester: wish.requester.slackUserId,
    personal: { summary: action.summary },
    channelId,
    sourceViewId: wish.viewId,
    requestedAt: at,
    placeBy: addMilliseconds(at, placingMs),
    expiresAt: addMilliseconds(at, approvalLifetimeMs),
  };
}

async function postOrDiscard(
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
