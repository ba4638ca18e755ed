import { addMilliseconds } from 'date-fns/addMilliseconds';
import { type GuardId, guards } from '../../audit-log/registry.ts';
import type { Clock } from '../../clock.ts';
import type { Logger } from '../../logger.ts';
import { isDirectChannel } from '../../slack/api/channel.ts';
import { isDefinitelyNotPosted } from '../../slack/api/error-codes.ts';
import type { AdminDirectory } from '../../slack/api/list-admins.ts';
import type { Person } from '../../slack/api/person.ts';
import { type MessageRef, postMessage } from '../../slack/api/post.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import type { WorkspaceSettings } from '../workspaces/index.ts';
import type { Check } from './approvable-action.ts';
import type { Approval, NewApproval } from './approval.ts';
import type { BindAction, PreparedAction } from './bind-action.ts';
import { hashSnapshot } from './bound-action.ts';
import { requesterCheck, runGuards, subjectRefusal } from './guards.ts';
import { refuseApprovers, type TooFewApprovers } from './people/refuse-approvers.ts';
import type { ApprovalStore } from './store/approval-store.ts';
import { approvalLifetimeMs, postingMs } from './timings.ts';
import { approvalMessage } from './views/approval-message.ts';

export type ApprovalInput = {
  teamId: string;
  enterpriseId: string | undefined;
  requester: Person;
  /** The action with its payload and its subject, which was read for this submission. */
  prepared: PreparedAction;
  reason: string;
  /** Where it was requested; the approvals channel, when there is one, takes its place. */
  channelId: string | undefined;
  /** The view whose submission makes the request. */
  viewId: string;
  /** True if the person was asked about an open request for the same change. */
  isRepeat?: boolean | undefined;
  settings: WorkspaceSettings;
  slack: SlackClient;
  /** Called once the request is there, so that its form can be forgotten. */
  onRequested?: (() => Promise<void>) | undefined;
};

export type RequestResult =
  | { result: 'requested'; approval: Approval }
  | { result: 'requested-before' }
  /** The same change is requested already. */
  | { result: 'already-open'; approval: Approval }
  | { result: 'connection-replaced' }
  /** Only the requester would see it. */
  | { result: 'no-audience' }
  /** Why each approver can't decide: mrkdwn. */
  | { result: 'no-approver'; reasons: string[] }
  | ({ result: 'too-few-approvers'; required: number } & TooFewApprovers)
  | { result: 'guarded'; guard: GuardId; why: string }
  | { result: 'not-posted'; channelId: string };

export type RequestDependencies = {
  store: Pick<ApprovalStore, 'create' | 'recordMessage' | 'discard' | 'subjectsUnderWay'>;
  bind: BindAction;
  readPerson: (teamId: string, slackUserId: string) => Promise<Person>;
  adminDirectory: AdminDirectory;
  clock: Clock;
  newId: () => string;
  log: Logger;
};

/**
 * Records a request and posts it where it can be decided. One that can't be posted is discarded.
 * @throws WebApiError when Slack's answer is missing: the request may have been posted.
 */
export async function requestApproval(
  input: ApprovalInput,
  dependencies: RequestDependencies,
): Promise<RequestResult> {
  const { store, bind, adminDirectory, clock, log } = dependencies;
  const { teamId, requester, slack, prepared, settings } = input;
  const approvers = prepared.action.approvers(settings.approvers);
  const required = prepared.action.requiredApprovals(settings);
  const channelId = settings.approvalsChannelId ?? input.channelId;
  if (channelId === undefined || isDirectChannel(channelId)) return { result: 'no-audience' };

  const id = dependencies.newId();
  const { action, subject, target } = prepared;
  const { connectionId } = target;
  const isSubject = (person: Person) => action.isSubject(subject.snapshot, person);
  const why = subjectRefusal(isSubject(requester), requester);
  if (why) return { result: 'guarded', guard: guards.notRequester.id, why };
  const readPerson = (slackUserId: string) => dependencies.readPerson(teamId, slackUserId);
  const readAdmins = (options: { isFresh: boolean }) => adminDirectory.read(slack, options);
  const [preview, { checks, refused }, tooFew] = await Promise.all([
    subject.preview(),
    runGuards(subject, { teamId, id, connectionId }, dependencies),
    refuseApprovers({ requester, approvers, required, isSubject, readPerson, readAdmins, log }),
  ]);
  if (refused) return { result: 'guarded', ...refused };
  if (tooFew?.able.length === 0) return { result: 'no-approver', reasons: tooFew.reasons };
  if (tooFew) return { result: 'too-few-approvers', required, ...tooFew };

  const about = action.isAboutPerson ? [requesterCheck] : [];
  const facts = {
    id,
    channelId,
    preview,
    checks: [...about, ...checks],
    requiredApprovals: required,
  };
  const { isRepeat } = input;
  const { supersedes } = prepared;
  const created = await store.create(newApproval(input, facts, clock()), { isRepeat, supersedes });
  if (created.result !== 'created') return created;
  const { approval } = created;

  const discard = () => store.discard({ teamId, id, at: clock() });
  const message = approvalMessage(approval, bind(approval), approvers);
  const posted = await postOrDiscard(slack, { channelId, message, discard });
  if (!posted) return { result: 'not-posted', channelId };
  return { result: 'requested', approval: await store.recordMessage({ teamId, id, ...posted }) };
}

function newApproval(
  { prepared: { name, payload, action, subject, target }, ...input }: ApprovalInput,
  facts: Pick<NewApproval, 'id' | 'channelId' | 'preview' | 'requiredApprovals'> & {
    checks: Check[];
  },
  at: Date,
): NewApproval {
  return {
    ...facts,
    teamId: input.teamId,
    enterpriseId: input.enterpriseId,
    connectionId: target.connectionId,
    organizationalUnitId: target.organizationalUnitId,
    action: name,
    payload,
    subjectId: action.subjectId,
    snapshot: subject.snapshot,
    snapshotHash: hashSnapshot(subject.snapshot),
    step: action.steps[0].name,
    reason: input.reason,
    requester: input.requester.slackUserId,
    personal: { summary: action.summary, ...action.audited },
    sourceViewId: input.viewId,
    requestedAt: at,
    postBy: addMilliseconds(at, postingMs),
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
