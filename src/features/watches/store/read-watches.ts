import { type SqlBool, sql, type Transaction } from 'kysely';
import { parseEach } from '../../../database/parse-rows.ts';
import type { Database, Tables } from '../../../database/tables.ts';
import type { ClaimedPoll, OrphanedWatches, Poll, Watch } from '../watch.ts';
import { toPollState } from './alert-poll-lease.ts';
import { alertWatches } from './watch-kinds.ts';

/** The watches of the poll's connection, and those of the connections that it has replaced. */
export async function readPollWatches(
  db: Database,
  { teamId, connectionId }: Poll,
): Promise<Pick<ClaimedPoll, 'watches' | 'orphans' | 'unreadable'>> {
  const where = sql<SqlBool>`connection_origin_id = (
    select origin_id from connection where team_id = ${teamId} and id = ${connectionId})`;
  const rows = await alertWatches.select(db, { teamId, isPaused: false, where });
  const { parsed, unreadable } = parseEach(rows, alertWatches.read);
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
  const ids = watches.map(({ id }) => id);
  const where = sql<SqlBool>`id = any(${ids}::uuid[])`;
  const rows = await alertWatches.lock(trx, { teamId: first.teamId, isPaused: false, where });
  const connections = new Map(watches.map(({ id, connectionId }) => [id, connectionId]));
  const { parsed } = parseEach(rows, alertWatches.read);
  return parsed.filter((watch) => watch.connectionId === connections.get(watch.id));
}

/** The watches of channels that were warned of an outage, including those that have ended since. */
export async function readWarned(
  trx: Transaction<Tables>,
  { teamId, connectionId }: Poll,
  notifiedAt: Date,
): Promise<(Watch & { isEnded: boolean })[]> {
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
  return parseEach(rows, (row) => ({
    ...alertWatches.read(row),
    isEnded: row.ended_at !== null,
  })).parsed;
}

/**
 * Locks all that polls of a workspace lock, in their order, for a transaction that changes watches in
 * another order. The connections are locked, so no poll is added meanwhile.
 */
export async function lockPolledWatches(trx: Transaction<Tables>, teamId: string): Promise<void> {
  await trx
    .selectFrom('alert_poll')
    .innerJoin('connection', 'connection.id', 'alert_poll.connection_id')
    .select('connection_id')
    .where('connection.team_id', '=', teamId)
    .where('connection.replaced_at', 'is', null)
    .orderBy('connection_id')
    .forUpdate('alert_poll')
    .execute();
  await alertWatches.lock(trx, { teamId });
}

/**
 * Creates the connection's poll if it has none, and locks it until the transaction ends: `share` only keeps
 * polls from recording meanwhile, `update` others that lock it too.
 */
export async function lockPoll(
  trx: Transaction<Tables>,
  { teamId, connectionId, at }: { teamId: string; connectionId: string; at: Date },
  mode: 'share' | 'update' = 'update',
): Promise<void> {
  await trx
    .insertInto('alert_poll')
    .values({ connection_id: connectionId, team_id: teamId, next_poll_at: at })
    .onConflict((conflict) => conflict.column('connection_id').doNothing())
    .execute();
  const poll = trx
    .selectFrom('alert_poll')
    .select('connection_id')
    .where('team_id', '=', teamId)
    .where('connection_id', '=', connectionId);
  await (mode === 'share' ? poll.forShare() : poll.forUpdate()).execute();
}
