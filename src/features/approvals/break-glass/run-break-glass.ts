import { refusals } from '../../../audit-log/registry.ts';
import { addMilliseconds } from '../../../dates.ts';
import { isDirectChannel } from '../../../slack/api/channel.ts';
import type { Approval } from '../approval.ts';
import { limitFor, type NamedLimit } from '../decide-approval.ts';
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
import { approvalMessage } from '../views/approval-message.ts';
import { checkBreakGlass, readAudience } from './check-break-glass.ts';

export type BreakGlassDependencies = RequestDependencies & {
  store: RequestDependencies['store'] & Pick<ApprovalStore, 'isLimitReached' | 'startBreakGlass'>;
} & Parameters<typeof limitFor>[2];

/**
 * Runs an action immediately without approval, for a person named in its rule. It is announced
 * before it starts: what can't be posted never runs.
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
  const { requirements } = checked;
  const about = action.isAboutPerson ? [requesterCheck] : [];
  const facts = { id, channelId, preview, checks: [...about, ...checked.checks], ...requirements };
  const at = clock();
  const by = { snapshot: subject.snapshot, requester: requester.slackUserId };
  const who = async () => ({ deciders: requirements.approvers, settings });
  const standIns = await readStandIns(by, action, slack, who, dependencies);
  const audience = await readAudience(input, requirements.approvers, dependencies);
  const planned = {
    ...newApproval(input, facts, at),
    approvers: [...new Set([...audience, ...standIns.map(({ standIn }) => standIn)])],
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
  const message = approvalMessage(started, bind(approval), requirements.approvers);
  const posted = await postOrDiscard(slack, { channelId, message, discard });
  if (!posted) return { result: 'not-posted', channelId };
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
