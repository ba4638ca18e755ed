import type { Clock } from '../../clock.ts';
import type { Person } from '../../slack/person.ts';
import type { WorkspaceSettings } from '../workspaces/workspaces.ts';
import type { Approval } from './approval.ts';
import type { ApprovalStore } from './approval-store.ts';
import { mayDecide } from './approver.ts';

export type DecisionResult = { result: 'decided'; approval: Approval } | DecisionRefusal;

export type DecisionRefusal =
  | { result: 'gone' }
  | { result: 'own-request' }
  | { result: 'not-yours' }
  | { result: 'not-approver'; approvers: string[] }
  | { result: 'too-late'; approval: Approval };

export type DecideDependencies = {
  store: Pick<ApprovalStore, 'find' | 'decide'>;
  readSettings: (teamId: string) => Promise<WorkspaceSettings>;
  clock: Clock;
};

type Wish = {
  teamId: string;
  approvalId: string;
  person: Person;
  to: 'approved' | 'denied' | 'withdrawn';
  reason?: string;
};

/** Decides a pending request once, for whoever has the right to at this moment. */
export async function decideApproval(
  { teamId, approvalId, person, to, reason }: Wish,
  dependencies: DecideDependencies,
): Promise<DecisionResult> {
  const { store, clock } = dependencies;
  const ref = { teamId, id: approvalId };
  const refusal = await refuse(ref, person, to, dependencies);
  if (refusal) return refusal;

  const decision = { ...ref, to, by: person.slackUserId, at: clock() };
  const approval = await store.decide(reason ? { ...decision, reason } : decision);
  if (approval) return { result: 'decided', approval };

  // Someone was faster, or the time ran out between the look and the statement.
  const current = await store.find(ref);
  return current ? { result: 'too-late', approval: current } : { result: 'gone' };
}

/** Why this person may not make this decision, or undefined; looked up without changing anything. */
export async function refuse(
  ref: { teamId: string; id: string },
  person: Person,
  to: Wish['to'],
  { store, readSettings, clock }: DecideDependencies,
): Promise<DecisionRefusal | undefined> {
  const approval = await store.find(ref);
  if (!approval) return { result: 'gone' };
  const isOwn = approval.requester === person.slackUserId;
  if (to === 'withdrawn' && !isOwn) return { result: 'not-yours' };
  if (to !== 'withdrawn') {
    if (isOwn) return { result: 'own-request' };
    const { approvers } = await readSettings(ref.teamId);
    if (!mayDecide(person, approvers)) return { result: 'not-approver', approvers };
  }
  const isOpen = approval.state === 'pending' && approval.expiresAt > clock();
  return isOpen ? undefined : { result: 'too-late', approval };
}
