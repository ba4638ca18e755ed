import { sql, type Transaction } from 'kysely';
import { isHeldBy, type Lease, leaseRows, released } from '../../../database/leases.ts';
import type { ServedTeams } from '../../../database/served-teams.ts';
import type { Database, Tables } from '../../../database/tables.ts';
import type { ChannelRef } from '../handlers.ts';

/** A channel in which this process alone may send until the lease ends. */
export type LeasedChannel = ChannelRef & {
  holder: string;
  leasedUntil: Date;
  /** Failures in a row of the post that is next. */
  attempts: number;
  /** New messages in a row of which nobody knows whether they arrived. */
  unanswered: number;
};

/**
 * Locks the channel's row until the transaction ends, marks the channel as due and reserves this many
 * positions in its queue. Returns the first of them, and whether a process holds the channel's lease.
 */
export async function lockChannel(
  trx: Transaction<Tables>,
  { teamId, channelId }: ChannelRef,
  { at, positions }: { at: Date; positions: number },
): Promise<{ firstPosition: number; isLeased: boolean }> {
  const { last_position, lease_until } = await trx
    .insertInto('delivery_channel')
    .values({
      team_id: teamId,
      channel_id: channelId,
      last_position: positions,
      due_at: at,
      ready_at: at,
    })
    .onConflict((conflict) =>
      conflict.columns(['team_id', 'channel_id']).doUpdateSet((eb) => ({
        last_position: eb('delivery_channel.last_position', '+', positions),
        // The earlier one; `least` ignores null.
        due_at: sql<Date>`least(delivery_channel.due_at, excluded.due_at)`,
      })),
    )
    .returning(['last_position', 'lease_until'])
    .executeTakeFirstOrThrow();
  return {
    firstPosition: last_position - positions + 1,
    isLeased: lease_until !== null && lease_until > at,
  };
}

/** Leases channels in which something is due, those first that have waited longest. */
export async function leaseChannels(
  db: Database,
  lease: Lease,
  { limit, isServed }: { limit: number; isServed: ServedTeams },
): Promise<LeasedChannel[]> {
  const rows = await leaseRows(db, lease, {
    table: 'delivery_channel',
    key: ['team_id', 'channel_id'],
    isServed,
    isDue: sql`due_at <= ${lease.at} and ready_at <= ${lease.at}`,
    // `ready_at` moves with each message sent, so the channel served longest ago is next.
    orderBy: ['ready_at'],
    limit,
  });
  return rows.map(({ team_id, channel_id, attempts, unanswered }) => ({
    teamId: team_id,
    channelId: channel_id,
    holder: lease.holder,
    leasedUntil: lease.until,
    attempts,
    unanswered,
  }));
}

/** Releases the channel until `dueAt`, unless more was queued since `lastPosition` was read. */
export async function releaseUntil(
  db: Database,
  channel: LeasedChannel,
  { dueAt, lastPosition }: { dueAt: Date | undefined; lastPosition: number },
): Promise<void> {
  await updateLeased(db, channel)
    .set((eb) => ({
      ...released,
      due_at: eb
        .case()
        .when('last_position', '=', lastPosition)
        .then(dueAt ?? null)
        .else(eb.ref('due_at'))
        .end(),
    }))
    .execute();
}

/** Releases the channel after a failed post, until `readyAt`. `unanswered` stays if not given. */
export async function postpone(
  db: Database,
  channel: LeasedChannel,
  {
    attempts,
    unanswered,
    readyAt,
  }: { attempts: number; unanswered?: number | undefined; readyAt: Date },
): Promise<void> {
  await updateLeased(db, channel)
    .set({
      ...released,
      attempts,
      ready_at: readyAt,
      ...(unanswered !== undefined && { unanswered }),
    })
    .execute();
}

/** Pauses edits in all channels of the workspace, those that other processes hold included. */
export async function pauseEdits(db: Database, teamId: string, until: Date): Promise<void> {
  // Rows are locked in one order, so that two processes cannot deadlock here.
  await sql`
    update delivery_channel c set edits_ready_at = greatest(c.edits_ready_at, ${until})
    from (
      select team_id, channel_id from delivery_channel
      where team_id = ${teamId} order by channel_id for update
    ) locked
    where c.team_id = locked.team_id and c.channel_id = locked.channel_id
  `.execute(db);
}

/** Updates the channel's row if the lease is still this process's. */
export function updateLeased(
  db: Pick<Database, 'updateTable'>,
  { teamId, channelId, holder }: LeasedChannel,
) {
  return db
    .updateTable('delivery_channel')
    .where('team_id', '=', teamId)
    .where('channel_id', '=', channelId)
    .where(isHeldBy(holder));
}
