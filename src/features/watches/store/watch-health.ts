import type { Database } from '../../../database/tables.ts';
import { connectionIdsOf, type OriginRef } from '../../workspaces/index.ts';
import { activeWatches } from './read-watches.ts';

/** The watches of a channel, of every kind, that run, or that are paused for the same reason. */
type WatchChannel = { channelId: string; count: number; pausedReason: string | undefined };

/** The channels that have watches, those with most of them first. */
export async function listWatchChannels(db: Database, teamId: string): Promise<WatchChannel[]> {
  const others = (['compliance_watch', 'policy_watch'] as const).map((table) =>
    db.selectFrom(table).select(['channel_id', 'paused_reason']).where('team_id', '=', teamId),
  );
  const all = activeWatches(db, teamId).select(['channel_id', 'paused_reason']).unionAll(others);
  const rows = await db
    .selectFrom(all.as('any_watch'))
    .select(({ fn }) => ['channel_id', 'paused_reason', fn.countAll<number>().as('count')])
    .groupBy(['channel_id', 'paused_reason'])
    .orderBy('count', 'desc')
    .execute();
  return rows.map((row) => ({
    channelId: row.channel_id,
    count: row.count,
    pausedReason: row.paused_reason ?? undefined,
  }));
}

/** Since when and why the alerts of a connection can't be read; undefined if they can. */
export async function readOutage(
  db: Database,
  of: OriginRef,
): Promise<{ since: Date; reason: string } | undefined> {
  const row = await db
    .selectFrom('alert_poll')
    .innerJoin('connection', 'connection.id', 'alert_poll.connection_id')
    .select(['outage_since', 'outage_reason'])
    .where('alert_poll.team_id', '=', of.teamId)
    .where('connection.id', 'in', connectionIdsOf(of))
    .where('connection.replaced_at', 'is', null)
    .executeTakeFirst();
  if (!row?.outage_since) return undefined;
  return { since: row.outage_since, reason: row.outage_reason ?? '' };
}
