import type { Person } from '../../../slack/api/person.ts';
import { mayDecide, type WorkspaceSettings } from '../../workspaces/index.ts';
import type { Approval } from '../approval.ts';
import type { BindAction } from '../bind-action.ts';
import type { BoundAction } from '../bound-action.ts';
import type { ApprovalStore } from '../store/approval-store.ts';

/** A request that waits for its decision or for its next step. */
export type OpenRequest = {
  approval: Approval;
  action: BoundAction;
  /** Whether the reader may decide it. */
  isDecidable: boolean;
};

export type OpenRequestDependencies = {
  store: Pick<ApprovalStore, 'listWaiting'>;
  bind: BindAction;
  readSettings: (teamId: string) => Promise<WorkspaceSettings>;
  clock: () => Date;
};

/**
 * The open requests of a workspace: those that the person may decide first, then pending ones, each
 * with the next deadline first. Whether requester and approver are one person is checked only when
 * they decide.
 */
export async function readOpenRequests(
  { teamId, person }: { teamId: string; person: Person },
  { store, bind, readSettings, clock }: OpenRequestDependencies,
): Promise<OpenRequest[]> {
  const [waiting, settings] = await Promise.all([store.listWaiting(teamId), readSettings(teamId)]);
  const now = clock();
  return waiting
    .filter(({ state, expiresAt }) => state !== 'pending' || expiresAt > now)
    .map((approval) => {
      const action = bind(approval);
      return { approval, action, isDecidable: isDecidable(approval, action, person, settings) };
    })
    .toSorted((one, other) => rankOf(one) - rankOf(other) || dueAt(one) - dueAt(other));
}

function isDecidable(
  { state, requester, snapshot, votes }: Approval,
  action: BoundAction,
  person: Person,
  settings: WorkspaceSettings,
): boolean {
  const excluded = [requester, ...votes.map(({ by }) => by)];
  if (state !== 'pending' || excluded.includes(person.slackUserId)) return false;
  const isAllowed = mayDecide(person, action.approvers(settings.approvers));
  return isAllowed && action.isSubject(snapshot, person) === 'no';
}

function rankOf({ approval: { state }, isDecidable: isFirst }: OpenRequest): number {
  if (isFirst) return 0;
  return state === 'pending' ? 1 : 2;
}

function dueAt({ approval: { state, expiresAt, wakeAt } }: OpenRequest): number {
  return (state === 'pending' ? expiresAt : (wakeAt ?? expiresAt)).getTime();
}
