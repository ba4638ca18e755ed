import { sql, type Transaction } from 'kysely';
import type { Database } from '../../../database/open-database.ts';
import type { Tables } from '../../../database/tables.ts';
import type { EnqueueMessages } from '../../../outbox/enqueue.ts';
import type { AlertSearch } from '../../alerts/index.ts';
import type { Watch, WatchRef } from '../watch.ts';
import type { Tell, WatchStore } from '../watch-store.ts';
import { anchorColumns, destinationOf, rememberKnown, toWatch } from './watch-row.ts';

/**
 * Watches in PostgreSQL; the port has the rules. Locks are taken in one order: the connection's
 * poll, watches, what they have seen, what is to be delivered.
 */
export function createWatchStore(
  db: Database,
  { enqueueMessages }: { enqueueMessages: EnqueueMessages },
): WatchStore {
  const tellOf = (trx: Transaction<Tables>, watch: Watch, tell: Tell, at: Date) =>
    enqueueMessages(trx, destinationOf(watch), [tell(watch)], at);

  return {
    create: (wish, { anchor, tell, atMost }) =>
      db.transaction().execute(async (trx) => {
        const { teamId, channelId, connectionId, at } = wish;
        await holdPoll(trx, { teamId, connectionId, at });
        const same = await findSame(trx, wish);
        if (same) return { result: 'duplicate', watch: same };
        if ((await countOf(trx, { teamId, channelId })) >= atMost) return { result: 'too-many' };
        const row = await trx
          .insertInto('watch')
          .values({
            id: wish.id,
            team_id: teamId,
            enterprise_id: wish.enterpriseId ?? null,
            connection_id: connectionId,
            channel_id: channelId,
            search: JSON.stringify(wish.search),
            created_by: wish.createdBy,
            created_at: at,
            ...anchorColumns(anchor),
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        await rememberKnown(trx, wish.id, anchor, at);
        const watch = toWatch(row);
        await tellOf(trx, watch, tell, at);
        return { result: 'created', watch };
      }),

    async list({ teamId, channelId }) {
      const rows = await inForce(db, teamId)
        .leftJoin('alert_poll', 'alert_poll.connection_id', 'watch.connection_id')
        .selectAll('watch')
        .select(['alert_poll.outage_reason', 'alert_poll.outage_since'])
        .where('channel_id', '=', channelId)
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map(({ outage_reason: trouble, outage_since: since, ...row }) => ({
        ...toWatch(row),
        trouble: trouble && since ? { words: trouble, since } : undefined,
      }));
    },

    async find({ teamId, id }) {
      const row = await inForce(db, teamId).selectAll().where('id', '=', id).executeTakeFirst();
      return row && toWatch(row);
    },

    change: ({ search, by, at, tell, ...ref }) =>
      db.transaction().execute(async (trx) => {
        const before = await heldWatch(trx, ref);
        if (!before) return undefined;
        const same = await findSame(trx, { ...before, search });
        if (same) return same.id === ref.id ? same : 'duplicate';
        const row = await trx
          .updateTable('watch')
          .set({
            search: JSON.stringify(search),
            changed_by: by,
            changed_at: at,
            // Of what it has seen, it remembers only what the filter meant until now.
            anchor: sql<Date | null>`greatest(anchor, high_water)`,
          })
          .where('id', '=', ref.id)
          .returningAll()
          .executeTakeFirstOrThrow();
        const watch = toWatch(row);
        await tellOf(trx, watch, tell, at);
        return watch;
      }),

    end: ({ by, at, tell, ...ref }) =>
      db.transaction().execute(async (trx) => {
        const watch = await heldWatch(trx, ref);
        if (!watch) return false;
        await trx
          .updateTable('watch')
          .set({ ended_at: at, ended_by: by })
          .where('id', '=', ref.id)
          .execute();
        await trx.deleteFrom('watched_alert').where('watch_id', '=', ref.id).execute();
        await tellOf(trx, watch, tell, at);
        return true;
      }),

    resume: ({ teamId, channelId, connectionId, anchor, at }) =>
      db.transaction().execute(async (trx) => {
        await holdPoll(trx, { teamId, connectionId, at });
        const rows = await trx
          .updateTable('watch')
          .set({
            ...anchorColumns(anchor),
            connection_id: connectionId,
            paused_at: null,
            paused_reason: null,
          })
          .where('team_id', '=', teamId)
          .where('channel_id', '=', channelId)
          .where('ended_at', 'is', null)
          .where('paused_at', 'is not', null)
          .returning('id')
          .execute();
        for (const { id } of rows) await rememberKnown(trx, id, anchor, at);
        return rows.length;
      }),

    async forget({ clearedSince, since }) {
      await db
        .deleteFrom('watched_alert')
        // Implied by what follows, and what the index is asked for.
        .where('seen_at', '<', clearedSince)
        .where((eb) => eb.or([eb('is_cleared', '=', true), eb('seen_at', '<', since)]))
        .execute();
    },
  };
}

/** Makes the connection's poll, if it has none, and holds it until the transaction ends. */
async function holdPoll(
  trx: Transaction<Tables>,
  { teamId, connectionId, at }: { teamId: string; connectionId: string; at: Date },
): Promise<void> {
  await trx
    .insertInto('alert_poll')
    .values({ connection_id: connectionId, team_id: teamId, next_poll_at: at })
    .onConflict((conflict) => conflict.column('connection_id').doNothing())
    .execute();
  await trx
    .selectFrom('alert_poll')
    .select('connection_id')
    .where('connection_id', '=', connectionId)
    .forUpdate()
    .execute();
}

function inForce(db: Database | Transaction<Tables>, teamId: string) {
  return db
    .selectFrom('watch')
    .where('watch.team_id', '=', teamId)
    .where('watch.ended_at', 'is', null);
}

async function heldWatch(
  trx: Transaction<Tables>,
  { teamId, id }: WatchRef,
): Promise<Watch | undefined> {
  const row = await inForce(trx, teamId)
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row && toWatch(row);
}

async function findSame(
  trx: Transaction<Tables>,
  { teamId, channelId, search }: { teamId: string; channelId: string; search: AlertSearch },
): Promise<Watch | undefined> {
  const row = await inForce(trx, teamId)
    .selectAll()
    .where('channel_id', '=', channelId)
    .where(sql<boolean>`search = ${JSON.stringify(search)}::jsonb`)
    .executeTakeFirst();
  return row && toWatch(row);
}

async function countOf(
  trx: Transaction<Tables>,
  { teamId, channelId }: { teamId: string; channelId: string },
): Promise<number> {
  const rows = await inForce(trx, teamId)
    .select('id')
    .where('channel_id', '=', channelId)
    .execute();
  return rows.length;
}
