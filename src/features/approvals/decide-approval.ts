import { subHours } from 'date-fns/subHours';
import type { Clock } from '../../clock.ts';
import type { Person } from '../../slack/api/person.ts';
import type { WorkspaceSettings } from '../workspaces/index.ts';
import { mayDecide } from '../workspaces/index.ts';
import type { Approval } from './approval.ts';
import type { ApprovalStore, Cap } from './approval-store.ts';
import type { BindAction } from './bind-action.ts';
import { subjectRefusal } from './subject-refusal.ts';

export type DecisionResult = { result: 'decided'; approval: Approval } | DecisionRefusal;

export type DecisionRefusal =
  | { result: 'gone' }
  | { result: 'own-request'; approval: Approval }
  | { result: 'not-yours'; approval: Approval }
  | { result: 'not-approver'; approval: Approval; approvers: string[] }
  /** It is, or may be, about whoever wants to decide. */
  | { result: 'about-you'; approval: Approval; words: string }
  | { result: 'too-many'; approval: Approval; atMost: number }
  /** It can be stopped no more, though nobody has begun yet. */
  | { result: 'due'; approval: Approval }
  | { result: 'too-late'; approval: Approval };

export type DecideDependencies = {
  store: Pick<ApprovalStore, 'find' | 'decide'>;
  bind: BindAction;
  /** Names of the actions that count towards the users of an hour. */
  cappedActions: string[];
  readSettings: (teamId: string) => Promise<WorkspaceSettings>;
  clock: Clock;
};

export type DecideInput = {
  teamId: string;
  approvalId: string;
  person: Person;
  to: 'approved' | 'denied' | 'withdrawn';
  reason?: string;
};

/** Decides a pending request once, for whoever has the right to at this moment. */
export async function decideApproval(
  wish: DecideInput,
  dependencies: DecideDependencies,
): Promise<DecisionResult> {
  const { store, clock } = dependencies;
  const { teamId, approvalId, person, to, reason } = wish;
  const allowed = await mayBeDecided(wish, dependencies);
  if (allowed.result !== 'open') return allowed;

  const cap = await capFor(allowed.approval, to, dependencies);
  const ref = { teamId, id: approvalId };
  const decision = { ...ref, to, by: person.slackUserId, at: clock(), cap };
  const approval = await store.decide(reason ? { ...decision, reason } : decision);
  if (approval === 'too-many') {
    return { result: 'too-many', approval: allowed.approval, atMost: cap?.atMost ?? 0 };
  }
  if (approval) return { result: 'decided', approval };

  // Someone was faster, or the time ran out between the look and the statement.
  const current = await store.find(ref);
  return current ? { result: 'too-late', approval: current } : { result: 'gone' };
}

/** Whether this person may make this decision now; looked up without changing anything. */
export async function mayBeDecided(
  { teamId, approvalId, person, to }: Omit<DecideInput, 'reason'>,
  { store, bind, readSettings, clock }: DecideDependencies,
): Promise<{ result: 'open'; approval: Approval } | DecisionRefusal> {
  const approval = await store.find({ teamId, id: approvalId });
  if (!approval) return { result: 'gone' };
  // First of all: whoever has no part in it reads how it stands, too.
  if (approval.state !== 'pending' || approval.expiresAt <= clock()) {
    return { result: 'too-late', approval };
  }
  const isOwn = approval.requester === person.slackUserId;
  if (to === 'withdrawn' && !isOwn) return { result: 'not-yours', approval };
  if (to !== 'withdrawn') {
    if (isOwn) return { result: 'own-request', approval };
    const { approvers } = await readSettings(teamId);
    if (!mayDecide(person, approvers)) return { result: 'not-approver', approval, approvers };
  }
  if (to === 'approved') {
    const words = subjectRefusal(bind(approval).isSubject(approval.snapshot, person), person);
    if (words) return { result: 'about-you', approval, words };
  }
  return { result: 'open', approval };
}

async function capFor(
  { action, teamId }: Approval,
  to: DecideInput['to'],
  { cappedActions, readSettings, clock }: DecideDependencies,
): Promise<Cap | undefined> {
  if (to !== 'approved' || !cappedActions.includes(action)) return undefined;
  const { usersPerHour } = await readSettings(teamId);
  return { atMost: usersPerHour, actions: cappedActions, since: subHours(clock(), 1) };
}
