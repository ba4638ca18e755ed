import { refusals, stopReasons } from '../../../audit-log/registry.ts';
import { addMilliseconds } from '../../../dates.ts';
import { isDirectChannel } from '../../../slack/api/channel.ts';
import { linkToMessage } from '../../../slack/api/post.ts';
import { channelMention } from '../../../slack/ui/mrkdwn.ts';
import type { Approval } from '../approval.ts';
import { limitFor, type NamedLimit, type OpenPeople } from '../decide-approval.ts';
import { hashMailbox, requesterCheck } from '../guards.ts';
import { readStandIns } from '../people/read-stand-ins.ts';
import {
  type ApprovalInput,
  newApproval,
  postOrDiscard,
  type RequestDependencies,
  type RequestResult,
} from '../request-approval.ts';
import type { ApprovalStore } from '../store/approval-store.ts';
import { postingMs } from '../timings.ts';
import { approvalMessage, approverMessage } from '../views/approval-message.ts';
import { checkBreakGlass } from './check-break-glass.ts';
import { maxNotified, reachApprover } from './reach-approver.ts';

export type BreakGlassDependencies = RequestDependencies & {
  store: RequestDependencies['store'] &
    Pick<
      ApprovalStore,
      | 'isLimitReached'
      | 'markAnnouncing'
      | 'markFollowerNotified'
      | 'startBreakGlass'
      | 'voidUnposted'
    >;
  openPeople: OpenPeople;
} & Parameters<typeof limitFor>[2];

/**
 * Runs an action immediately without approval, for a person named in its rule. It is announced
 * before it starts: what can't be posted, or reaches no approver other than the requester, never runs.
 * @throws WebApiError when Slack's answer is missing: it may have been announced, and doesn't run.
 */
export async function runBreakGlass(
  input: ApprovalInput,
  dependencies: BreakGlassDependencies,
): Promise<RequestResult> {
  const { store, bind, clock } = dependencies;
  const { teamId, slack, prepared, settings, requester, isRepeat } = input;
  const { action, subject, supersedes } = prepared;
  const channelId = settings.approvalsChannelId ?? input.channelId;
  if (channelId === undefined || isDirectChannel(channelId)) return { result: 'no-audience' };

  const id = dependencies.newId();
  const [preview, checked] = await Promise.all([
    subject.preview(),
    checkBreakGlass({ ...input, id }, dependencies),
  ]);
  if ('refusal' in checked) return checked.refusal;
  const { requirements, audience } = checked;
  const about = action.isAboutPerson ? [requesterCheck] : [];
  const facts = { id, channelId, preview, checks: [...about, ...checked.checks], ...requirements };
  const at = clock();
  const by = { snapshot: subject.snapshot, requester: requester.slackUserId };
  const who = async () => ({ deciders: requirements.approvers, settings });
  const standIns = await readStandIns(by, action, slack, who, dependencies);
  const planned = {
    ...newApproval(input, facts, at),
    approvers: [
      ...new Set([
        ...audience.people.slice(0, maxNotified),
        ...standIns.map(({ standIn }) => standIn),
      ]),
    ],
    breakGlassMailbox: hashMailbox({ id }, requester),
    // Nobody decides it: by then it has started or is void.
    expiresAt: addMilliseconds(at, postingMs),
  };
  const created = await store.create(planned, { isRepeat, supersedes });
  if (created.result !== 'created') return created;

  const limit = limitFor(prepared.name, settings, dependencies);
  const discard = () => store.discard({ teamId, id, at: clock() });
  if (limit && (await store.isLimitReached({ teamId, id }, limit))) {
    await discard();
    return refusedByLimit(limit);
  }
  const { approval } = created;
  const started: Approval = { ...approval, state: 'approved', decidedAt: clock() };
  const bound = bind(approval);
  const { approvers } = requirements;
  const message = approvalMessage(started, bound, approvers);
  const posted = await postOrDiscard(slack, { channelId, message, discard });
  if (!posted) return { result: 'not-posted', channelId };
  const showDirectly = async () => {
    const link = await linkToMessage(slack, posted, 'View request');
    return approverMessage(started, bound, { approvers, link, isDecidable: true });
  };
  if (!(await reachApprover(approval, audience, showDirectly, { ...dependencies, slack }))) {
    const outcome = 'No approver other than the requester could be notified.';
    const stopReason = stopReasons.notAnnounced.id;
    await store.voidUnposted({ teamId, id, at: clock(), outcome, stopReason });
    await store.recordMessage({ teamId, id, ...posted });
    return notAnnounced(channelId);
  }
  const running = await store.startBreakGlass({ teamId, id, ...posted, at: clock(), limit });
  if (running && running !== 'limit-reached') return { result: 'requested', approval: running };
  // The posted message says that it runs, so it is rendered again.
  const stopped = await store.recordMessage({ teamId, id, ...posted });
  if (running === 'limit-reached' && limit) return refusedByLimit(limit);
  return { result: 'not-started', why: stopped.outcome ?? '' };
}

function refusedByLimit({ description }: NamedLimit): RequestResult {
  const why = `${description}, and this limit is reached.`;
  return { result: refusals.limitReached.id, why };
}

function notAnnounced(channelId: string): RequestResult {
  const why = `Belay couldn't notify an approver other than you: none is in ${channelMention(channelId)}, and no direct message was delivered. Nothing was changed. Invite an approver to that channel and try again, or request approval instead.`;
  return { result: refusals.notAnnounced.id, why };
}
