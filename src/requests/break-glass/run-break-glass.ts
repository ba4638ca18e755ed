import { randomUUID } from 'node:crypto';
import { addMilliseconds } from '../../dates.ts';
import { isDirectChannel } from '../../slack/api/channel.ts';
import type { Person } from '../../slack/api/person.ts';
import { linkToMessage } from '../../slack/api/post.ts';
import { channelMention } from '../../slack/ui/mrkdwn.ts';
import { shownRights } from '../../workspace/permissions.ts';
import type { Check } from '../action.ts';
import type { Approval } from '../approval.ts';
import {
  checkGuards,
  type PreparedRequest,
  type RequestRefusal,
  requirementsFor,
} from '../check-request.ts';
import { hashMailbox, missingAddressRefusal, subjectRefusal } from '../guards.ts';
import { limitFor, type NamedLimit } from '../hourly-limit.ts';
import { canTakePart } from '../people/places.ts';
import { readStandIns } from '../people/read-stand-ins.ts';
import {
  type ApprovalInput,
  newApproval,
  postOrDiscard,
  type RequestResult,
} from '../request-approval.ts';
import type { RequestContext } from '../request-context.ts';
import type { Requirements } from '../rules/requirements.ts';
import { postingMs } from '../timings.ts';
import { approvalMessage, approverMessage } from '../views/approval-message.ts';
import { breakGlassRefusal } from './break-glass-right.ts';
import { type Audience, maxNotified, reachApprover, readAudience } from './reach-approver.ts';

/**
 * Runs an action immediately without approval, for a person named in its rule. It is announced
 * before it starts: what can't be posted, or reaches no approver other than the requester, never runs.
 * @throws WebApiError when Slack's answer is missing: it may have been announced, and doesn't run.
 */
export async function runBreakGlass(
  input: ApprovalInput,
  context: RequestContext,
): Promise<RequestResult> {
  const { store, bind, clock } = context;
  const { teamId, slack, prepared, settings, requester, isRepeat } = input;
  const { action, subject, supersedes } = prepared;
  const channelId = settings.approvalsChannel ?? input.channelId;
  if (channelId === undefined || isDirectChannel(channelId)) return { result: 'no_audience' };

  const id = randomUUID();
  const [preview, checked] = await Promise.all([
    subject.preview(),
    checkBreakGlass({ ...input, id }, context),
  ]);
  if ('refusal' in checked) return checked.refusal;
  const { requirements, audience } = checked;
  const facts = { id, channelId, preview, checks: checked.checks, ...requirements };
  const at = clock();
  const by = { requester: requester.slackUserId };
  const who = async () => ({ deciders: requirements.approvers, settings });
  const standIns = await readStandIns(by, action, slack, who, context);
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

  const { name, payload } = prepared;
  const limit = limitFor({ action: name, payload }, settings, context);
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
  if (!posted) return { result: 'not_posted', channelId };
  // Recorded first, so that the message can be corrected if a later step fails.
  await store.recordMessage({ teamId, id, ...posted });
  const showDirectly = async () => {
    const link = await linkToMessage(slack, posted, 'View request');
    return approverMessage(started, bound, { approvers, link, isDecidable: true });
  };
  if (!(await reachApprover(approval, audience, showDirectly, { ...context, slack }))) {
    const outcome = 'No approver other than the requester could be notified.';
    const stopReason = 'not_announced';
    await store.voidUnposted({ teamId, id, at: clock(), outcome, stopReason });
    return notAnnounced(channelId);
  }
  const running = await store.startBreakGlass({ teamId, id, at: clock(), limit });
  if (running === 'limit_reached' && limit) return refusedByLimit(limit);
  if (running && running !== 'limit_reached') {
    await store.voidSuperseded(running, supersedes, clock());
    return { result: 'requested', approval: running };
  }
  const stopped = await store.find({ teamId, id });
  return { result: 'not_started', why: stopped?.runs[0].outcome ?? '' };
}

function refusedByLimit({ description }: NamedLimit): RequestResult {
  const why = `${description}, and this limit is reached.`;
  return { result: 'limit_reached', why };
}

function notAnnounced(channelId: string): RequestResult {
  const why = `Belay couldn't notify an approver other than you: none is in ${channelMention(channelId)}, and no direct message was delivered. Nothing was changed. Invite an approver to that channel and try again, or request approval instead.`;
  return { result: 'not_announced', why };
}

/**
 * The checks of a run without approval, what its review will need and who has to know of it, or why it
 * is refused. Stricter than for a request, because nobody weighs what Belay couldn't check: each guard
 * has to pass, the requester's mailbox and all approvers have to be known, and one of them has to be
 * somebody else.
 */
async function checkBreakGlass(
  input: PreparedRequest,
  context: RequestContext,
): Promise<
  { checks: Check[]; requirements: Requirements; audience: Audience } | { refusal: RequestRefusal }
> {
  const { requester, settings, prepared } = input;
  const { name, action } = prepared;
  const notNamed = breakGlassRefusal(requester, settings, name);
  if (notNamed) return refuse('break_glass_not_allowed', notNamed);
  const notAllowed = action.changeRefusal(requester);
  if (notAllowed) return refuse('requester_not_allowed', notAllowed);
  const why = subjectRefusal(action.isSubject(requester), requester);
  if (why) return { refusal: { result: 'guarded', guard: 'requester_is_subject', why } };
  const noAddress = missingAddressRefusal(requester);
  if (noAddress) return refuse('address_missing', noAddress);
  const requirements = requirementsFor(prepared, settings);
  const { checks, refused } = await checkGuards(input, context);
  if (refused) return { refusal: { result: 'guarded', ...refused } };
  const unmade = checks.find(({ result }) => result !== 'passed');
  if (unmade) {
    const what = `${unmade.words ?? unmade.label}${unmade.detail ? ` (${unmade.detail})` : ''}`;
    return refuse(
      'check_not_made',
      `Belay couldn't check this: ${what}. Break-glass requires every check to pass. Request approval instead.`,
    );
  }
  const by = { requester: requester.slackUserId };
  const couldApprove = (person: Person) =>
    shownRights.mayDecide(person, requirements.approvers) &&
    canTakePart(person, by, action, requester);
  const audience = await readAudience(input, requirements, couldApprove, context);
  if ('why' in audience) return refuse('check_not_made', audience.why);
  if (await audience.findApprover(audience.people)) return { checks, requirements, audience };
  return refuse(
    'not_announced',
    'Break-glass requires an approver other than you who can be notified, and there is none. Ask an admin to add one in `/belay access`.',
  );
}

function refuse(
  result:
    | 'break_glass_not_allowed'
    | 'requester_not_allowed'
    | 'address_missing'
    | 'check_not_made'
    | 'not_announced',
  why: string,
): { refusal: RequestRefusal } {
  return { refusal: { result, why } };
}
