import type { RefusalReason, RefusedAttempt } from '../audit-log/registry.ts';
import { monotonicClock } from '../clock.ts';
import type { Person } from '../slack/api/person.ts';
import type { MessageRef } from '../slack/api/post.ts';
import { mention } from '../slack/ui/mrkdwn.ts';
import type { WorkspaceSettings } from '../workspace/settings/document.ts';
import type { Action } from './action.ts';
import { type Approval, placeOf, type StandsInFor, type Vote } from './approval.ts';
import {
  hashMailbox,
  knownSubjectRefusal,
  samePersonRefusal,
  sharedMailbox,
  subjectRefusal,
} from './guards.ts';
import { limitFor } from './hourly-limit.ts';
import { canTakePart, excludedRefusal, placesOf } from './people/places.ts';
import type { RequestContext } from './request-context.ts';
import { matchApprovals, neededApprovals } from './rules/match-approvals.ts';
import {
  approvalsMetBy,
  type CountedVotes,
  recheckVotes,
  type VoteQuestion,
} from './rules/recheck-votes.ts';
import { decidersOf, hasRuleChanged } from './rules/requirements.ts';
import type { ApprovalStore } from './store/approval-store.ts';

type DecisionResult = { result: 'decided'; approval: Approval } | DecisionRefusal;

/** `result` is the reason that the audit log stores; `why` is mrkdwn. */
export type DecisionRefusal = { result: RefusalReason } & (
  | { result: 'request_not_found' }
  | {
      result:
        | 'request_closed'
        | 'own_request'
        | 'not_requester'
        /** Other people have to approve now, so the request is void. */
        | 'rule_changed'
        /** The rule of the request needs approvals of other people. */
        | 'groups_already_approved';
      approval: Approval;
    }
  | { result: 'not_approver'; approval: Approval; approvers: string[] }
  | {
      result:
        | 'approver_is_subject'
        | 'requester_not_allowed'
        /** The person is, or may be, the requester with another Slack account. */
        | 'same_mailbox'
        | 'address_missing'
        | 'stand_in_excluded'
        /** The person has approved it, with this account or another, or their place is taken. */
        | 'already_approved'
        /** The scheduled step is due, though it has not started. */
        | 'already_due'
        /** The service has ended the task, or is aborting it. */
        | 'not_abortable';
      approval: Approval;
      why: string;
    }
  /** `limit` says what is limited, in words. */
  | { result: 'limit_reached'; approval: Approval; limit: string }
);

/** Who decides a request. `clickedOn`: the message with the button. */
export type DecisionClick = {
  teamId: string;
  approvalId: string;
  person: Person;
  clickedOn?: MessageRef | undefined;
};

/** Logs that somebody was refused what they clicked on. */
export function logRefusal(
  { result: reason, approval: about }: { result: RefusalReason; approval?: Approval },
  { teamId, person }: DecisionClick,
  attempt: RefusedAttempt,
  { store, clock }: RequestContext,
): Promise<void> {
  const by = person.slackUserId;
  return store.logRefusal({ teamId, by, attempt, reason, about, at: clock() });
}

export type DecideInput = DecisionClick & {
  to: 'approved' | 'denied' | 'withdrawn';
  reason?: string | undefined;
};

/** More than a rule can require: each approval in between means another attempt. */
const maxAttempts = 30;
/** How old the people of an earlier attempt may be. */
const maxPeopleAgeMs = 5000;

/**
 * Decides a pending request once, for a person who may do so now. Approvals that arrived since the check
 * are checked too; only the people who gave them are read then.
 */
export async function decideApproval(
  input: DecideInput,
  context: RequestContext,
): Promise<DecisionResult> {
  const { openPeople } = context;
  let opened = { readPerson: openPeople(input.teamId), at: monotonicClock() };
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const at = monotonicClock();
    if (at - opened.at > maxPeopleAgeMs) opened = { readPerson: openPeople(input.teamId), at };
    const decided = await tryToDecide(input, context, opened.readPerson);
    if (decided !== 'votes-changed') return decided;
  }
  throw new Error('the approvals of a request changed at every attempt');
}

async function tryToDecide(
  input: DecideInput,
  context: RequestContext,
  readPerson: ReturnType<RequestContext['openPeople']>,
): Promise<DecisionResult | 'votes-changed'> {
  const { store, clock } = context;
  const { teamId, approvalId, person, to, reason } = input;
  const allowed = await checkDecision(input, context, readPerson);
  if (allowed.result !== 'open') return allowed;

  const ref = { teamId, id: approvalId };
  // Before the decision: nobody clicks again on a message that stays outdated after it.
  await recordPlace(allowed.approval, input, store);
  const by = { by: person.slackUserId, mailboxHash: hashMailbox(allowed.approval, person) };
  const { counted, standsInFor, settings } = allowed;
  const { action, runs } = allowed.approval;
  const limit = settings && limitFor({ action, payload: runs[0].payload }, settings, context);
  const decider = { ...ref, ...by, reason, at: clock(), standsInFor };
  const approval = await store.decide(
    to === 'approved' ? { ...decider, to, counted, limit } : { ...decider, to },
  );
  // The next check says why: the person, or somebody in the same place, has approved it since.
  if (approval === 'votes-changed' || approval === 'already_approved') return 'votes-changed';
  if (approval === 'limit_reached') {
    return { result: 'limit_reached', approval: allowed.approval, limit: limit?.description ?? '' };
  }
  if (approval) return { result: 'decided', approval };

  // Since the check, someone else decided, or the request expired.
  const current = await store.find(ref);
  return current
    ? { result: 'request_closed', approval: current }
    : { result: 'request_not_found' };
}

/**
 * Records the clicked message, if the process that posted it died before it could. An approver's copy
 * is in another conversation.
 */
export async function recordPlace(
  { teamId, id, channelId, messageTs }: Approval,
  { clickedOn }: Pick<DecisionClick, 'clickedOn'>,
  store: ApprovalStore,
): Promise<void> {
  if (messageTs || !clickedOn || clickedOn.channelId !== channelId) return;
  await store.recordMessage({ teamId, id, ...clickedOn });
}

type OpenDecision = {
  result: 'open';
  approval: Approval;
  /** Read for decisions that need approvers' rights. */
  settings: WorkspaceSettings | undefined;
  /** What an approval would count for. */
  counted: CountedVotes;
  /** The approver in whose place the person decides; undefined if they decide in their own. */
  standsInFor?: StandsInFor | undefined;
};

const noVotes: CountedVotes = { votes: [], meets: [] };

/** Whether this person may make this decision now; changes nothing. */
export async function checkDecision(
  { teamId, approvalId, person, to }: Omit<DecideInput, 'reason'>,
  { store, bind, readSettings, openPeople, clock }: RequestContext,
  readPerson = openPeople(teamId),
): Promise<OpenDecision | DecisionRefusal> {
  const approval = await store.find({ teamId, id: approvalId });
  if (!approval) return { result: 'request_not_found' };
  // Before any rights are checked, so that everybody learns how a closed request ended.
  const isOpen = approval.state === 'pending' && !approval.breakGlass;
  if (!isOpen || approval.expiresAt <= clock()) {
    return { result: 'request_closed', approval };
  }
  const isOwn = approval.requester === person.slackUserId;
  const action = bind(approval);
  if (to === 'withdrawn') {
    if (!isOwn) return { result: 'not_requester', approval };
    const why = knownSubjectRefusal(action, person);
    if (why) return { result: 'approver_is_subject', approval, why };
    return { result: 'open', approval, settings: undefined, counted: noVotes };
  }
  if (isOwn) return { result: 'own_request', approval };
  const settings = await readSettings(teamId);
  if (hasRuleChanged(approval, settings)) return { result: 'rule_changed', approval };
  const approvers = decidersOf(approval, action, settings);
  const named = placesOf(person, approvers, settings);
  if (named.length === 0) return { result: 'not_approver', approval, approvers };
  const why = subjectRefusal(action.isSubject(person), person);
  if (why) return { result: 'approver_is_subject', approval, why };
  // Checked before people are read: most clicks that lose a race are repeated approvals.
  const repeated = to === 'approved' ? refuseRecordedVote(approval, person) : undefined;
  if (repeated) return { ...repeated, approval };
  const requester = await readPerson(approval.requester);
  const same = samePersonRefusal(requester, person);
  if (same) return { result: same.reason, approval, why: same.why };
  const places = named.filter(
    (place) => place === person || canTakePart(place, approval, action, requester),
  );
  const [first] = places;
  if (!first) return { result: 'stand_in_excluded', approval, why: excludedRefusal(named) };
  if (to === 'denied') {
    return {
      result: 'open',
      approval,
      settings,
      counted: noVotes,
      standsInFor: standsInFor(approval, person, first),
    };
  }
  const lost = action.requesterRefusal(requester, settings);
  if (lost !== undefined) return { result: 'requester_not_allowed', approval, why: lost };
  const voters = await Promise.all(approval.votes.map(({ by }) => readPerson(by)));
  const second = refuseSecondVote(voters, person);
  if (second) return { ...second, approval };
  const needed = neededApprovals(approval, approvers);
  const question = { needed, requester, voters, settings };
  const chosen = choosePlace(approval, action, { person, places, ...question });
  return 'result' in chosen
    ? { ...chosen, approval }
    : { result: 'open', approval, settings, ...chosen };
}

type SecondVote = { result: 'already_approved' | 'address_missing'; why: string };

/** Refuses an approver who has approved this request already, as it is stored: with that mailbox. */
function refuseRecordedVote({ id, votes }: Approval, person: Person): SecondVote | undefined {
  const own = votes.find(({ by }) => by === person.slackUserId);
  if (own) {
    const why =
      own.meets.length > 0
        ? 'You already approved this request.'
        : "You already approved this request, but you weren't an approver when somebody else approved, so your approval no longer counts.";
    return { result: 'already_approved', why };
  }
  const mailboxHash = hashMailbox({ id }, person);
  const same = votes.find((vote) => vote.mailboxHash === mailboxHash);
  if (!same) return undefined;
  return { result: 'already_approved', why: sharedMailbox(same.by, person.slackUserId) };
}

/**
 * Refuses an approver whose mailbox is that of an earlier approver now, whatever is stored. A missing
 * address counts as the same mailbox.
 */
function refuseSecondVote(voters: Person[], person: Person): SecondVote | undefined {
  const refusal = voters
    // The approvals of others no longer count, and Slack may no longer show their addresses.
    .filter(({ membership }) => membership === 'member')
    .map((voter) => samePersonRefusal(voter, person))
    .find(Boolean);
  if (!refusal) return undefined;
  const result = refusal.reason === 'same_mailbox' ? 'already_approved' : refusal.reason;
  return { result, why: refusal.why };
}

type ChosenPlace = { standsInFor: StandsInFor | undefined; counted: CountedVotes };
type PlaceRefusal =
  | { result: 'already_approved'; why: string }
  | { result: 'groups_already_approved' };

/**
 * Chooses the first of the person's places in which an approval brings the request closer: one that no
 * approval so far has taken. Approvals that no longer count fill no place. @throws GroupUnreadError
 */
function choosePlace(
  approval: Approval,
  action: Action,
  { person, places, ...question }: VoteQuestion & { person: Person; places: Person[] },
): ChosenPlace | PlaceRefusal {
  const { needed, voters } = question;
  const votes = recheckVotes(approval, action, question).map(({ lost: _, ...vote }) => vote);
  let taken: Vote | undefined;
  for (const place of places) {
    const before = votes.find(
      (vote) => vote.meets.length > 0 && takesPlace(approval, vote, voters, place),
    );
    if (before) {
      taken = before;
      continue;
    }
    const meets = approvalsMetBy(place, needed);
    const isCloser =
      matchApprovals(needed, [...votes, { meets }]).size > matchApprovals(needed, votes).size;
    if (isCloser)
      return { standsInFor: standsInFor(approval, person, place), counted: { votes, meets } };
  }
  return taken
    ? { result: 'already_approved', why: takenRefusal(taken, person) }
    : { result: 'groups_already_approved' };
}

/** Undefined for the person's own place. */
function standsInFor(
  approval: Pick<Approval, 'id'>,
  person: Person,
  place: Person,
): StandsInFor | undefined {
  if (place === person) return undefined;
  return { slackUserId: place.slackUserId, mailboxHash: hashMailbox(approval, place) };
}

/** Compares the account and the mailbox, then and now. */
function takesPlace(
  { id }: Pick<Approval, 'id'>,
  vote: Vote,
  voters: Person[],
  place: Person,
): boolean {
  if (placeOf(vote) === place.slackUserId) return true;
  if ((vote.standsInFor ?? vote).mailboxHash === hashMailbox({ id }, place)) return true;
  const voter = voters.find(({ slackUserId }) => slackUserId === vote.by);
  const now = [voter, ...(voter?.standsInFor ?? [])].find(
    (one) => one?.slackUserId === placeOf(vote),
  );
  return now !== undefined && samePersonRefusal(now, place) !== undefined;
}

function takenRefusal(vote: Vote, person: Person): string {
  const approver = placeOf(vote);
  if (approver === vote.by) {
    return `${mention(approver)} already approved this request, and you stand in for them.`;
  }
  const whose = approver === person.slackUserId ? 'you' : mention(approver);
  return `${mention(vote.by)} already approved this request, standing in for ${whose}.`;
}
