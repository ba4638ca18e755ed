import type { Clock } from '../../clock.ts';
import type { Person } from '../../slack/api/person.ts';
import type { WorkspaceSettings } from '../workspaces/index.ts';
import { mayDecide } from '../workspaces/index.ts';
import type { ApprovalStore } from './approval-store.ts';
import type { BindAction } from './bind-action.ts';
import type { DecisionRefusal } from './decide-approval.ts';

export type KeepDependencies = {
  store: Pick<ApprovalStore, 'find' | 'keep'>;
  bind: BindAction;
  readSettings: (teamId: string) => Promise<WorkspaceSettings>;
  clock: Clock;
};

/** Stops what is scheduled, at the wish of whoever asked for it or may decide; needs no approval. */
export async function cancelDeletion(
  { teamId, approvalId, person }: { teamId: string; approvalId: string; person: Person },
  { store, bind, readSettings, clock }: KeepDependencies,
): Promise<DecisionRefusal | undefined> {
  const ref = { teamId, id: approvalId };
  const approval = await store.find(ref);
  if (!approval) return { result: 'gone' };
  if (approval.state !== 'scheduled') return { result: 'too-late', approval };
  const { approvers } = await readSettings(teamId);
  if (approval.requester !== person.slackUserId && !mayDecide(person, approvers)) {
    return { result: 'not-approver', approvers, approval };
  }
  const step = bind(approval).keep;
  const by = person.slackUserId;
  const kept = step && (await store.keep({ ...ref, by, step: step.name, at: clock() }));
  if (kept) return undefined;
  const current = await store.find(ref);
  if (!current) return { result: 'gone' };
  return { result: current.state === 'scheduled' ? 'due' : 'too-late', approval: current };
}
