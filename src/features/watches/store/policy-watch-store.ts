import { randomUUID } from 'node:crypto';
import { type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import type { OriginRef } from '../../../database/connection-origin.ts';
import type { Database, Tables } from '../../../database/tables.ts';
import { createSubscriptionStore, destinationOf } from '../../../subscriptions/store.ts';
import type { ChangedBy, Channel } from '../../../subscriptions/subscription.ts';
import type { EnqueueNamed, NamedDestination } from '../../../workspace/enqueue-named.ts';
import { policyWatches, watchFamily } from './watch-kinds.ts';

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

    /** The channel has at most one watch of a connection. */
    start: ({ by, ...key }: OriginRef & Channel & ChangedBy, { max }: { max: number }) =>
      db.transaction().execute((trx) => {
        const watch = { ...key, id: randomUUID(), createdBy: by };
        return create(trx, watch, { same: { on: key }, max }, () =>
          policyWatches.insert(trx, watch, {}),
        );
      }),
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
