import type { RefusalReason } from '../../audit-log/registry.ts';
import type { Clock } from '../../clock.ts';
import { subHours } from '../../dates.ts';
import type { Person } from '../../slack/api/person.ts';
import type { MessageRef } from '../../slack/api/post.ts';
import { mayDecide, type WorkspaceSettings } from '../workspaces/index.ts';
import type { Approval } from './approval.ts';
import type { ActionEntries, BindAction } from './bind-action.ts';
import { hashMailbox, knownSubjectRefusal, samePersonRefusal, subjectRefusal } from './guards.ts';
import { refuseSecondVote } from './people/refuse-second-vote.ts';
import { approvalsMetBy, countVotes, type RuledVotes } from './rules/count-votes.ts';
import { matchApprovals, neededApprovals } from './rules/match-approvals.ts';
import { decidersOf, hasRuleChanged } from './rules/requirements.ts';
import type { ApprovalStore } from './store/approval-store.ts';
import type { DecisionLimit } from './store/deciding.ts';

export type DecisionResult = { result: 'decided'; approval: Approval } | DecisionRefusal;

/** `result` is the reason that the audit log stores. */
export type DecisionRefusal = { result: RefusalReason } & (
  | { result: 'gone' }
  /** Other people have to approve now, so the request is void. */
  | { result: 'rule-changed'; approval: Approval }
  /** By its rule, the request needs approvals of others. */
  | { result: 'no-progress'; approval: Approval }
  | { result: 'own-request'; approval: Approval }
  | { result: 'not-yours'; approval: Approval }
  | { result: 'not-approver'; approval: Approval; approvers: string[] }
  /** The person is, or may be, the subject. */
  | { result: 'about-you'; approval: Approval; why: string }
  /** The requester has lost the right to make it. */
  | { result: 'requester-not-allowed'; approval: Approval; why: string }
  /** The person is, or may be, the requester with another Slack account. */
  | { result: 'same-mailbox' | 'address-missing'; approval: Approval; why: string }
  /** The person has approved it, with this account or another. */
  | { result: 'approved-before'; approval: Approval; why: string }
  /** `limit` says what is limited, in words. */
  | { result: 'too-many'; approval: Approval; limit: string }
  /** The scheduled step is due, though it has not started. */
  | { result: 'due'; approval: Approval; why: string }
  | { result: 'too-late'; approval: Approval }
);

export type DecideDependencies = {
  store: Pick<ApprovalStore, 'find' | 'decide' | 'recordMessage'>;
  actions: ActionEntries;
  bind: BindAction;
  readSettings: (teamId: string) => Promise<WorkspaceSettings>;
  readPerson: (teamId: string, slackUserId: string) => Promise<Person>;
  clock: Clock;
};

export type DecideInput = {
  teamId: string;
  approvalId: string;
  person: Person;
  to: 'approved' | 'denied' | 'withdrawn';
  reason?: string;
  clickedOn?: MessageRef | undefined;
};

/** More than the people that a rule can need: each approval in between means another attempt. */
const maxAttempts = 30;

/**
 * Decides a pending request once, for a person with the right to at this moment. By a rule, approvals
 * that came in since the check are checked as well.
 */
export async function decideApproval(
  input: DecideInput,
  dependencies: DecideDependencies,
): Promise<DecisionResult> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const decided = await tryToDecide(input, dependencies);
    if (decided !== 'votes-changed') return decided;
  }
  throw new Error('the approvals of a request changed at every attempt');
}

async function tryToDecide(
  input: DecideInput,
  dependencies: DecideDependencies,
): Promise<DecisionResult | 'votes-changed'> {
  const { store, clock } = dependencies;
  const { teamId, approvalId, person, to, reason } = input;
  const allowed = await checkDecision(input, dependencies);
  if (allowed.result !== 'open') return allowed;

  const limit = limitOf(allowed, to, dependencies);
  const ref = { teamId, id: approvalId };
  // Before the decision: nobody clicks again on a message that stays outdated after it.
  await recordPlace(allowed.approval, input, store);
  const by = { by: person.slackUserId, mailboxHash: hashMailbox(allowed.approval, person) };
  const decision = { ...ref, ...by, to, at: clock(), limit, ruled: allowed.ruled };
  const approval = await store.decide(reason ? { ...decision, reason } : decision);
  if (approval === 'votes-changed') return approval;
  if (approval === 'limit-reached') {
    return { result: 'too-many', approval: allowed.approval, limit: limit?.description ?? '' };
  }
  if (approval && approval !== 'approved-before') return { result: 'decided', approval };

  // Since the check, someone else decided, the request expired, or the person approved it already.
  const current = await store.find(ref);
  if (!current) return { result: 'gone' };
  const second =
    approval === 'approved-before' && current.state === 'pending'
      ? await refuseSecondVote(current, person, () => readVoters(current, dependencies.readPerson))
      : undefined;
  return second ? { ...second, approval: current } : { result: 'too-late', approval: current };
}

/**
 * Records the clicked message, if the process that posted it died before it could. An approver's copy
 * is in another conversation.
 */
export async function recordPlace(
  { teamId, id, channelId, messageTs }: Approval,
  { clickedOn }: Pick<DecideInput, 'clickedOn'>,
  store: Pick<ApprovalStore, 'recordMessage'>,
): Promise<void> {
  if (messageTs || !clickedOn || clickedOn.channelId !== channelId) return;
  await store.recordMessage({ teamId, id, ...clickedOn });
}

type OpenDecision = {
  result: 'open';
  approval: Approval;
  /** Read for decisions that need approvers' rights. */
  settings: WorkspaceSettings | undefined;
  /** For the approval of a request with a rule. */
  ruled?: RuledVotes | undefined;
};

/** Whether this person may make this decision now; changes nothing. */
export async function checkDecision(
  { teamId, approvalId, person, to }: Omit<DecideInput, 'reason'>,
  { store, bind, readSettings, readPerson, clock }: DecideDependencies,
): Promise<OpenDecision | DecisionRefusal> {
  const approval = await store.find({ teamId, id: approvalId });
  if (!approval) return { result: 'gone' };
  // Before any rights are checked, so that everybody learns how a closed request ended.
  const isOpen = approval.state === 'pending' && !approval.breakGlass;
  if (!isOpen || approval.expiresAt <= clock()) {
    return { result: 'too-late', approval };
  }
  const isOwn = approval.requester === person.slackUserId;
  const action = bind(approval);
  if (to === 'withdrawn') {
    if (!isOwn) return { result: 'not-yours', approval };
    const why = knownSubjectRefusal(approval, action, person);
    if (why) return { result: 'about-you', approval, why };
    return { result: 'open', approval, settings: undefined };
  }
  if (isOwn) return { result: 'own-request', approval };
  const settings = await readSettings(teamId);
  if (hasRuleChanged(approval, settings)) return { result: 'rule-changed', approval };
  const approvers = decidersOf(approval, action, settings);
  if (!mayDecide(person, approvers)) return { result: 'not-approver', approval, approvers };
  const why = subjectRefusal(action.isSubject(approval.snapshot, person), person);
  if (why) return { result: 'about-you', approval, why };
  const requester = await readPerson(teamId, approval.requester);
  const same = samePersonRefusal(requester, person);
  if (same) return { result: same.reason, approval, why: same.why };
  if (to === 'denied') return { result: 'open', approval, settings };
  const lost = action.requesterRefusal(requester, settings);
  if (lost !== undefined) return { result: 'requester-not-allowed', approval, why: lost };
  let reading: Promise<Person[]> | undefined;
  const voters = () => {
    reading ??= readVoters(approval, readPerson);
    return reading;
  };
  const second = await refuseSecondVote(approval, person, voters);
  if (second) return { ...second, approval };
  const needed = neededApprovals(approval);
  if (needed.length === 0) return { result: 'open', approval, settings };
  const votes = countVotes(approval, action, { needed, requester, voters: await voters() });
  const meets = approvalsMetBy(person, needed);
  const isCloser =
    matchApprovals(needed, [...votes, { meets }]).size > matchApprovals(needed, votes).size;
  if (!isCloser) return { result: 'no-progress', approval };
  return { result: 'open', approval, settings, ruled: { votes, meets } };
}

function readVoters(
  { teamId, votes }: Approval,
  readPerson: DecideDependencies['readPerson'],
): Promise<Person[]> {
  return Promise.all(votes.map(({ by }) => readPerson(teamId, by)));
}

/** The limit that an approval of this request counts towards. */
function limitOf(
  { approval, settings }: OpenDecision,
  to: DecideInput['to'],
  dependencies: Pick<DecideDependencies, 'actions' | 'clock'>,
): NamedLimit | undefined {
  if (to !== 'approved' || !settings) return undefined;
  return limitFor(approval.action, settings, dependencies);
}

/** `max` subjects per hour, in words. */
export type NamedLimit = DecisionLimit & { description: string };

export function limitFor(
  action: string,
  settings: WorkspaceSettings,
  { actions, clock }: Pick<DecideDependencies, 'actions' | 'clock'>,
): NamedLimit | undefined {
  const entries = Object.values(actions);
  const limit = entries.find(({ name }) => name === action)?.limit;
  if (!limit) return undefined;
  const max = limit.maxPerHour(settings);
  return {
    max,
    actions: entries.filter((entry) => entry.limit === limit).map(({ name }) => name),
    since: subHours(clock(), 1),
    description: limit.describe(max),
  };
}
