import { randomUUID } from 'node:crypto';
import { type RawBuilder, type Selectable, type SqlBool, sql, type Transaction } from 'kysely';
import { lockChannel } from '../../../database/lock-channel.ts';
import type { Database, Tables } from '../../../database/tables.ts';
import {
  destinationOf,
  type EnqueueNamed,
  isOnConnection,
  type NamedDestination,
  type OriginRef,
} from '../../workspaces/index.ts';
import { policyWatchText } from '../views/policy-watch-messages.ts';
import { type WatchChange, watchChangeMessage } from '../views/watch-notices.ts';
import type { PolicyWatch } from '../watch.ts';
import { countWatches } from './read-watches.ts';
import type { PolicyWatchTable } from './tables.ts';
import { resumeOthers } from './watch-pausing.ts';

type Channel = { teamId: string; channelId: string };
/** A channel has at most one watch of a connection. */
type WatchKey = Channel & OriginRef;
type Change = WatchKey & { by: string; at: Date };

export type PolicyWatchStore = ReturnType<typeof createPolicyWatchStore>;

/** Policy watches. Changes enqueue their notice to the channel in the same transaction. */
export function createPolicyWatchStore(
  db: Database,
  { enqueueMessages }: { enqueueMessages: EnqueueNamed },
) {
  const announce = (
    trx: Transaction<Tables>,
    watch: PolicyWatch,
    { change, by, at }: { change: WatchChange; by: string; at: Date },
  ) => {
    // Each change gets its own message, so it never edits an earlier one.
    const subject = `policy-watch:change:${randomUUID()}`;
    const message = watchChangeMessage(watch.channelId, change, { what: policyWatchText, by });
    const outgoing = { subject, message };
    return enqueueMessages(trx, destinationOf(watch), [outgoing], at);
  };

  return {
    /** A watch that the channel has already is returned, and resumed if it was paused. */
    start: (
      { teamId, channelId, originId, by, at }: Change & { originId: string },
      { max }: { max: number },
    ): Promise<
      { result: 'created' | 'too-many' } | { result: 'exists'; watch: PolicyWatch; resumed: number }
    > =>
      db.transaction().execute(async (trx) => {
        await lockChannel(trx, 'watches', { teamId, channelId });
        const before = await watchesOf(trx, { teamId, channelId })
          .where(isOnConnection('policy_watch', { teamId, originId }))
          .forUpdate()
          .executeTakeFirst();
        if (before) {
          const resumed = await resumeOthers(trx, 'policy_watch', { teamId, channelId });
          return { result: 'exists', watch: toPolicyWatch(before), resumed };
        }
        if ((await countWatches(trx, { teamId, channelId })) >= max) return { result: 'too-many' };
        const row = await trx
          .insertInto('policy_watch')
          .values({
            team_id: teamId,
            channel_id: channelId,
            created_by: by,
            created_at: at,
            connection_origin_id: originId,
          })
          .onConflict((conflict) => conflict.doNothing())
          .returningAll()
          .executeTakeFirst();
        // Without a row, applying the configuration added and announced the watch at the same time.
        if (row) await announce(trx, toPolicyWatch(row), { change: 'added', by, at });
        return { result: 'created' };
      }),

    /** Oldest first, paused ones included. */
    async list(channel: Channel): Promise<PolicyWatch[]> {
      const rows = await watchesOf(db, channel)
        .orderBy('created_at')
        .orderBy('connection_origin_id')
        .execute();
      return rows.map(toPolicyWatch);
    },

    async find(key: WatchKey): Promise<PolicyWatch | undefined> {
      const row = await watchesOf(db, key)
        .where(isOnConnection('policy_watch', key))
        .executeTakeFirst();
      return row && toPolicyWatch(row);
    },

    /** True for the caller that ended it. */
    end: ({ teamId, channelId, originId, by, at }: Change): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const row = await trx
          .deleteFrom('policy_watch')
          .where('team_id', '=', teamId)
          .where('channel_id', '=', channelId)
          .where(isOnConnection('policy_watch', { teamId, originId }))
          .returningAll()
          .executeTakeFirst();
        if (!row) return false;
        await announce(trx, toPolicyWatch(row), { change: 'ended', by, at });
        return true;
      }),

    /** Returns how many paused ones are posted to again. */
    resume: (channel: Channel): Promise<number> => resumeOthers(db, 'policy_watch', channel),
  };
}

function watchesOf(db: Database | Transaction<Tables>, { teamId, channelId }: Channel) {
  return db
    .selectFrom('policy_watch')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('channel_id', '=', channelId);
}

/**
 * The channels where changes to the policies of a connection are posted, locked until the transaction
 * ends.
 */
export async function lockPolicyWatchers(
  trx: Transaction<Tables>,
  connection: OriginRef,
): Promise<NamedDestination[]> {
  const rows = await trx
    .selectFrom('policy_watch')
    .selectAll()
    .where('team_id', '=', connection.teamId)
    .where(isOnConnection('policy_watch', connection))
    .where('paused_at', 'is', null)
    .orderBy('channel_id')
    .forUpdate()
    .execute();
  return rows.map((row) => destinationOf(toPolicyWatch(row)));
}

/** Whether a channel watches the policies of a connection, in a query that selects from `connection`. */
export const isWatchingPolicies: RawBuilder<SqlBool> = sql<SqlBool>`exists (
  select 1 from policy_watch
  where policy_watch.team_id = connection.team_id and policy_watch.paused_at is null
    and policy_watch.connection_origin_id = connection.origin_id)`;

function toPolicyWatch(row: Selectable<PolicyWatchTable>): PolicyWatch {
  return {
    teamId: row.team_id,
    channelId: row.channel_id,
    originId: row.connection_origin_id,
    createdBy: row.created_by,
    createdAt: row.created_at,
    pausedReason: row.paused_reason ?? undefined,
  };
}
