import { randomUUID } from 'node:crypto';
import { type RawBuilder, type Selectable, type SqlBool, sql, type Transaction } from 'kysely';
import type { Database } from '../../../database/open-database.ts';
import type { Tables } from '../../../database/tables.ts';
import type { Destination, EnqueueMessages } from '../../../outbox/index.ts';
import { policyWatchMessage } from '../views/policy-watch-messages.ts';
import type { PolicyWatch } from '../watch.ts';
import { countWatches } from './read-watches.ts';
import type { PolicyWatchTable } from './tables.ts';
import { resumeOthers } from './watch-pausing.ts';
import { destinationOf } from './watch-row.ts';

type Channel = { teamId: string; channelId: string };
type Change = Channel & { by: string; at: Date };

export type PolicyWatchStore = ReturnType<typeof createPolicyWatchStore>;

/** Policy watches. Changes enqueue their notice to the channel in the same transaction. */
export function createPolicyWatchStore(
  db: Database,
  { enqueueMessages }: { enqueueMessages: EnqueueMessages },
) {
  const announce = (
    trx: Transaction<Tables>,
    watch: PolicyWatch,
    { what, by, at }: { what: 'added' | 'ended'; by: string; at: Date },
  ) => {
    // Each change gets a message of its own, so it never edits an earlier one.
    const subject = `policy-watch:change:${randomUUID()}`;
    const outgoing = { subject, message: policyWatchMessage(what, by) };
    return enqueueMessages(trx, destinationOf(watch), [outgoing], at);
  };

  return {
    /** A watch that the channel has already is returned, and resumed if it was paused. */
    start: (
      { teamId, channelId, by, at }: Change,
      { max }: { max: number },
    ): Promise<
      | { result: 'created' | 'too-many' }
      | { result: 'exists'; watch: PolicyWatch; isResumed: boolean }
    > =>
      db.transaction().execute(async (trx) => {
        const before = await trx
          .selectFrom('policy_watch')
          .selectAll()
          .where('team_id', '=', teamId)
          .where('channel_id', '=', channelId)
          .forUpdate()
          .executeTakeFirst();
        if (before) {
          const isResumed = (await resumeOthers(trx, 'policy_watch', { teamId, channelId })) > 0;
          return { result: 'exists', watch: toPolicyWatch(before), isResumed };
        }
        if ((await countWatches(trx, { teamId, channelId })) >= max) return { result: 'too-many' };
        const row = await trx
          .insertInto('policy_watch')
          .values({ team_id: teamId, channel_id: channelId, created_by: by, created_at: at })
          .onConflict((conflict) => conflict.doNothing())
          .returningAll()
          .executeTakeFirst();
        // Without a row, somebody else has added and announced the watch at the same time.
        if (row) await announce(trx, toPolicyWatch(row), { what: 'added', by, at });
        return { result: 'created' };
      }),

    async find({ teamId, channelId }: Channel): Promise<PolicyWatch | undefined> {
      const row = await db
        .selectFrom('policy_watch')
        .selectAll()
        .where('team_id', '=', teamId)
        .where('channel_id', '=', channelId)
        .executeTakeFirst();
      return row && toPolicyWatch(row);
    },

    /** True for the caller that ended it. */
    end: ({ teamId, channelId, by, at }: Change): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const row = await trx
          .deleteFrom('policy_watch')
          .where('team_id', '=', teamId)
          .where('channel_id', '=', channelId)
          .returningAll()
          .executeTakeFirst();
        if (!row) return false;
        await announce(trx, toPolicyWatch(row), { what: 'ended', by, at });
        return true;
      }),

    /** Whether a paused watch was resumed. */
    resume: async (channel: Channel): Promise<boolean> =>
      (await resumeOthers(db, 'policy_watch', channel)) > 0,
  };
}

/** The channels where changes to policies are posted, locked until the transaction ends. */
export async function lockPolicyWatchers(
  trx: Transaction<Tables>,
  teamId: string,
): Promise<Destination[]> {
  const rows = await trx
    .selectFrom('policy_watch')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('paused_at', 'is', null)
    .orderBy('channel_id')
    .forUpdate()
    .execute();
  return rows.map((row) => destinationOf(toPolicyWatch(row)));
}

/** Whether a channel watches policies, of the team whose id is in this column of an outer query. */
export function isWatchingPolicies(teamIdColumn: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (select 1 from policy_watch
    where policy_watch.team_id = ${sql.ref(teamIdColumn)} and policy_watch.paused_at is null)`;
}

function toPolicyWatch(row: Selectable<PolicyWatchTable>): PolicyWatch {
  return {
    ...{ teamId: row.team_id, channelId: row.channel_id },
    ...{ createdBy: row.created_by, createdAt: row.created_at },
    pausedReason: row.paused_reason ?? undefined,
  };
}
