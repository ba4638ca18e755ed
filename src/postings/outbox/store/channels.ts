import { sql, type Transaction } from 'kysely';
import { isHeldBy } from '../../../database/leases.ts';
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
