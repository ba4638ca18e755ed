import type { WorkspaceSettings } from '../../workspace/workspace.ts';
import { limitFor } from '../decide-approval.ts';
import type { PreparedAction } from '../define-action.ts';
import type { RequestContext } from '../request-context.ts';

/** More subjects than may still be approved within the hour. `limit` says what is limited, in words. */
export type LimitExcess = { result: 'limit_reached'; limit: string; left: number; added: number };

/**
 * Refuses a bulk request that nobody could approve now: its subjects exceed what is left of the hourly
 * limit of their action. Approving it checks again.
 */
export async function refuseExcess(
  {
    teamId,
    settings,
    children,
  }: {
    teamId: string;
    settings: WorkspaceSettings;
    children: { prepared: PreparedAction }[];
  },
  { store, actions, clock }: RequestContext,
): Promise<LimitExcess | undefined> {
  const [first] = children;
  const limit = first && limitFor(first.prepared.name, settings, { actions, clock });
  if (!limit) return undefined;
  const subjectIds = children.map(({ prepared }) => prepared.action.subjectId);
  const { added, counted } = await store.countTowardsLimit(teamId, subjectIds, limit);
  const left = Math.max(0, limit.max - counted);
  if (added <= left) return undefined;
  return { result: 'limit_reached', limit: limit.description, left, added };
}
