import { sql, type Transaction } from 'kysely';
import { parseEach, type UnreadableRowError } from '../../../database/parse-rows.ts';
import type { Database, Tables } from '../../../database/tables.ts';
import { isOnConnection } from '../../workspaces/index.ts';
import type { ClaimedPoll, OrphanedWatches, Poll, Watch, WatchRef } from '../watch.ts';
import { toPollState } from './alert-poll-lease.ts';
import { toWatch } from './watch-row.ts';

/** The watches of the poll's connection, and those of the connections that it has replaced. */
export async function readPollWatches(
  db: Database,
  { teamId, connectionId }: Poll,
): Promise<Pick<ClaimedPoll, 'watches' | 'orphans' | 'unreadable'>> {
  const rows = await db
    .selectFrom('watch')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('watch.connection_origin_id', '=', (eb) =>
      eb
        .selectFrom('connection')
        .select('origin_id')
        .where('connection.team_id', '=', teamId)
        .where('connection.id', '=', connectionId),
    )
    .where('ended_at', 'is', null)
    .where('paused_at', 'is', null)
    .orderBy('created_at')
    .execute();
  const { parsed, unreadable } = parseEach(rows, toWatch);
  const byConnection = Map.groupBy(parsed, (watch) => watch.connectionId);
  const watches = byConnection.get(connectionId) ?? [];
  byConnection.delete(connectionId);
  return { watches, orphans: await readOrphans(db, teamId, byConnection), unreadable };
}

/** A connection that was replaced before it was ever polled has no row. */
async function readOrphans(
  db: Database,
  teamId: string,
  byConnection: Map<string, Watch[]>,
): Promise<OrphanedWatches[]> {
  if (byConnection.size === 0) return [];
  const rows = await db
    .selectFrom('alert_poll')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('connection_id', 'in', [...byConnection.keys()])
    .execute();
  const states = new Map(rows.map((row) => [row.connection_id, toPollState(row)]));
  return [...byConnection].map(([connectionId, watches]) => ({
    ...(states.get(connectionId) ?? {
      connectionId,
      failures: 0,
      failedLookups: 0,
      outage: undefined,
    }),
    watches,
  }));
}

/**
 * Locks watches of one workspace until the transaction ends and returns them as they are now, without those that have
 * ended, were paused or moved to another connection.
 */
export async function lockWatches(trx: Transaction<Tables>, watches: Watch[]): Promise<Watch[]> {
  const [first] = watches;
  if (!first) return [];
  const rows = await trx
    .selectFrom('watch')
    .selectAll()
    .where('team_id', '=', first.teamId)
    .where(
      'id',
      'in',
      watches.map(({ id }) => id),
    )
    .where('ended_at', 'is', null)
    .where('paused_at', 'is', null)
    // Every transaction locks channels in this order. Otherwise two could deadlock.
    .orderBy('channel_id')
    .orderBy('id')
    .forUpdate()
    .execute();
  const connections = new Map(watches.map(({ id, connectionId }) => [id, connectionId]));
  const { parsed } = parseEach(rows, toWatch);
  return parsed.filter((watch) => watch.connectionId === connections.get(watch.id));
}

/** The watches of channels that were warned of an outage, including those that have ended since. */
export async function readWarned(
  trx: Transaction<Tables>,
  { teamId, connectionId }: Poll,
  notifiedAt: Date,
): Promise<Watch[]> {
  const rows = await trx
    .selectFrom('watch')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('connection_id', '=', connectionId)
    .where('created_at', '<', notifiedAt)
    .where((eb) => eb.or([eb('ended_at', 'is', null), eb('ended_at', '>=', notifiedAt)]))
    .where('paused_at', 'is', null)
    .orderBy('channel_id')
    .orderBy('id')
    .execute();
  return parseEach(rows, toWatch).parsed;
}

/** Creates the connection's poll if it has none, and locks it until the transaction ends. */
export async function lockPoll(
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
    .where('team_id', '=', teamId)
    .where('connection_id', '=', connectionId)
    .forUpdate()
    .execute();
}

/** Watches that have not ended, paused ones included. */
export function activeWatches(db: Database | Transaction<Tables>, teamId: string) {
  return db
    .selectFrom('watch')
    .where('watch.team_id', '=', teamId)
    .where('watch.ended_at', 'is', null);
}

export async function lockWatch(
  trx: Transaction<Tables>,
  { teamId, id }: WatchRef,
): Promise<Watch | undefined> {
  const row = await activeWatches(trx, teamId)
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row && toWatch(row);
}

/** The channel's watch of the connection with the same filter. */
export async function findSame(
  trx: Transaction<Tables>,
  {
    teamId,
    channelId,
    originId,
    search,
  }: Pick<Watch, 'teamId' | 'channelId' | 'originId' | 'search'>,
): Promise<Watch | undefined> {
  const row = await activeWatches(trx, teamId)
    .selectAll()
    .where('channel_id', '=', channelId)
    .where(isOnConnection('watch', { teamId, originId }))
    .where(sql<boolean>`search = ${JSON.stringify(search)}::jsonb`)
    .executeTakeFirst();
  return row && toWatch(row);
}

/** Of every kind. */
export async function countWatches(
  trx: Transaction<Tables>,
  { teamId, channelId }: { teamId: string; channelId: string },
): Promise<number> {
  const others = (['compliance_watch', 'policy_watch'] as const).map((table) =>
    trx
      .selectFrom(table)
      .select('channel_id')
      .where('team_id', '=', teamId)
      .where('channel_id', '=', channelId),
  );
  const rows = await activeWatches(trx, teamId)
    .select('watch.channel_id')
    .where('channel_id', '=', channelId)
    .unionAll(others)
    .execute();
  return rows.length;
}

/** The watches of a workspace that can't be read. */
export async function listUnreadableWatches(
  db: Database,
  teamId: string,
): Promise<UnreadableRowError[]> {
  const rows = await db
    .selectFrom('watch')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('ended_at', 'is', null)
    .execute();
  return parseEach(rows, toWatch).unreadable;
}
