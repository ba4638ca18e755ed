import type { Transaction } from 'kysely';
import type { ClaimedChannel, DeliveryStore } from '../features/delivery/delivery-store.ts';
import type { Database } from './open-database.ts';
import type { QueueOutgoing } from './outbox.ts';
import { released, updateHeld } from './outbox-claims.ts';
import type { Tables } from './tables.ts';

/** Gives up what waits for a channel, and tells its owners, all of it or nothing. */
export function createAbandon(
  db: Database,
  { queueOutgoing }: { queueOutgoing: QueueOutgoing },
): DeliveryStore['abandon'] {
  return (channel, { at, notify }) =>
    db.transaction().execute(async (trx) => {
      const { teamId, channelId } = channel;
      const row = await trx
        .selectFrom('delivery_channel')
        .select('told_owners')
        .where('team_id', '=', teamId)
        .where('channel_id', '=', channelId)
        .forUpdate()
        .executeTakeFirstOrThrow();
      const lost = await dropAll(trx, channel, at);
      const told = new Set(row.told_owners);
      for (const [owner, count] of lost) {
        const notice = told.has(owner) ? undefined : notify(owner, count);
        told.add(owner);
        if (notice) await queueOutgoing(trx, notice.to, [notice.outgoing], at);
      }
      await updateHeld(trx, channel)
        .set({
          ...released,
          attempts: 0,
          due_at: null,
          told_owners: JSON.stringify([...told]),
        })
        .execute();
      return [...lost.values()].reduce((sum, count) => sum + count, 0);
    });
}

/** Owner → how many of their messages were dropped; what a summary counted counts as it says. */
async function dropAll(
  trx: Transaction<Tables>,
  { teamId, channelId }: ClaimedChannel,
  at: Date,
): Promise<Map<string, number>> {
  const messages = await trx
    .updateTable('delivery_message')
    .set({ state: 'dropped', message: null, settled_at: at })
    .where('team_id', '=', teamId)
    .where('channel_id', '=', channelId)
    .where('state', '=', 'waiting')
    .returning('owner_slack_user_id')
    .execute();
  const summaries = await trx
    .updateTable('delivery_summary')
    .set({ state: 'dropped' })
    .where('team_id', '=', teamId)
    .where('channel_id', '=', channelId)
    .where('state', '=', 'open')
    .returning(['owner_slack_user_id', 'counts'])
    .execute();
  const lost = new Map<string, number>();
  const add = (owner: string, count: number) => lost.set(owner, (lost.get(owner) ?? 0) + count);
  for (const { owner_slack_user_id } of messages) add(owner_slack_user_id, 1);
  for (const { owner_slack_user_id, counts } of summaries) {
    add(
      owner_slack_user_id,
      Object.values(counts).reduce((sum, count) => sum + count, 0),
    );
  }
  return lost;
}
