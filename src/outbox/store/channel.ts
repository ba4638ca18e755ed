import { sql, type Transaction } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import type { Destination } from '../message.ts';

/**
 * Holds the channel's row until the transaction ends, says that something is due there, and takes
 * this many places in its queue. Returns the first of them, and whether something is being sent there.
 */
export async function lockChannel(
  trx: Transaction<Tables>,
  { teamId, channelId }: Destination,
  { at, places }: { at: Date; places: number },
): Promise<{ firstPlace: number; isServed: boolean }> {
  const { last_position, lease_until } = await trx
    .insertInto('delivery_channel')
    .values({
      team_id: teamId,
      channel_id: channelId,
      last_position: places,
      due_at: at,
      ready_at: at,
    })
    .onConflict((conflict) =>
      conflict.columns(['team_id', 'channel_id']).doUpdateSet((eb) => ({
        last_position: eb('delivery_channel.last_position', '+', places),
        // Whatever comes first; `least` passes over a null.
        due_at: sql<Date>`least(delivery_channel.due_at, excluded.due_at)`,
      })),
    )
    .returning(['last_position', 'lease_until'])
    .executeTakeFirstOrThrow();
  return {
    firstPlace: last_position - places + 1,
    isServed: lease_until !== null && lease_until > at,
  };
}
