import { randomUUID } from 'node:crypto';
import { type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import { isOnConnection, type OriginRef } from '../../../database/connection-origin.ts';
import type { Database, Tables } from '../../../database/tables.ts';
import type { ChangedBy } from '../../../subscriptions/define-subscription.ts';
import {
  createSubscriptionStore,
  destinationOf,
  type EnqueueNamed,
  type NamedDestination,
} from '../../../subscriptions/store.ts';
import type { PolicyWatch } from '../watch.ts';
import { policyWatches, watchFamily } from './watch-kinds.ts';

/** A channel has at most one watch of a connection. */
type WatchKey = OriginRef & { channelId: string };

export type PolicyWatchStore = ReturnType<typeof createPolicyWatchStore>;

export function createPolicyWatchStore(
  db: Database,
  { enqueueMessages }: { enqueueMessages: EnqueueNamed },
) {
  const { create, shared } = createSubscriptionStore(db, policyWatches, {
    family: watchFamily,
    enqueueMessages,
  });
  return {
    ...shared,

    /** A watch that the channel has already is returned, and resumed if it was paused. */
    start: (
      { by, ...key }: WatchKey & ChangedBy,
      { max }: { max: number },
    ): Promise<
      { result: 'created' | 'too-many' } | { result: 'exists'; watch: PolicyWatch; resumed: number }
    > =>
      db.transaction().execute(async (trx) => {
        const { teamId, channelId } = key;
        const watch = { ...key, id: randomUUID(), createdBy: by };
        const isSame = isOnConnection('policy_watch', key);
        const created = await create(trx, watch, { isSame, max }, () =>
          policyWatches.insert(trx, watch, {}),
        );
        if (created.result !== 'exists') return { result: created.result };
        const resumed = await policyWatches.resume(trx, { teamId, channelId });
        return { result: 'exists', watch: created.item, resumed: resumed.length };
      }),

    findOnConnection: ({ teamId, channelId, originId }: WatchKey) =>
      policyWatches.find(db, { teamId, channelId, on: { teamId, originId } }),
  };
}

/**
 * The channels where changes to the policies of a connection are posted, locked until the transaction
 * ends.
 */
export async function lockPolicyWatchers(
  trx: Transaction<Tables>,
  { teamId, originId }: OriginRef,
): Promise<NamedDestination[]> {
  const on = { teamId, originId };
  const rows = await policyWatches.lock(trx, { teamId, on, isPaused: false });
  return rows.map((row) => destinationOf(policyWatches.read(row)));
}

/** Whether a channel watches the policies of a connection, in a query that selects from `connection`. */
export const isWatchingPolicies: RawBuilder<SqlBool> = sql<SqlBool>`exists (
  select 1 from policy_watch
  where policy_watch.team_id = connection.team_id and policy_watch.paused_at is null
    and policy_watch.connection_origin_id = connection.origin_id)`;
