import type { Transaction } from 'kysely';
import type { AppendEntry } from '../../audit-log/append.ts';
import type { Tables } from '../../database/tables.ts';

type Trx = Transaction<Tables>;

/** A channel whose connection changes. `by` is a Slack user id. */
export type ChannelChange = { teamId: string; channelId: string; by: string; at: Date };
export type ChannelPin = ChannelChange & { originId: string; name: string };

/** The channel uses this connection instead of the default one. */
export async function pinChannel(
  trx: Trx,
  append: AppendEntry,
  { teamId, channelId, originId, name, by, at }: ChannelPin,
): Promise<void> {
  const pin = { origin_id: originId, pinned_by: by };
  const changed = await trx
    .insertInto('channel_connection')
    .values({ team_id: teamId, channel_id: channelId, ...pin })
    .onConflict((conflict) =>
      conflict
        .columns(['team_id', 'channel_id'])
        .doUpdateSet(pin)
        .where('channel_connection.origin_id', '<>', originId),
    )
    .returning('channel_id')
    .executeTakeFirst();
  if (!changed) return;
  await append(trx, {
    teamId,
    at,
    event: 'channel_pinned',
    actor: by,
    facts: { channel: channelId, connectionOriginId: originId },
    personal: { connectionName: name },
  });
}

/** The channel uses the default connection again. */
export async function unpinChannel(
  trx: Trx,
  append: AppendEntry,
  { teamId, channelId, by, at }: ChannelChange,
): Promise<void> {
  const removed = await trx
    .deleteFrom('channel_connection')
    .where('team_id', '=', teamId)
    .where('channel_id', '=', channelId)
    .returning('origin_id')
    .executeTakeFirst();
  if (!removed) return;
  const facts = { channel: channelId, connectionOriginId: removed.origin_id };
  await append(trx, { teamId, at, event: 'channel_unpinned', actor: by, facts });
}

/** Another person is responsible for a channel's choice of its connection. */
export async function changePinOwner(
  trx: Trx,
  { teamId, channelId, owner }: { teamId: string; channelId: string; owner: string },
): Promise<void> {
  await trx
    .updateTable('channel_connection')
    .set({ pinned_by: owner })
    .where('team_id', '=', teamId)
    .where('channel_id', '=', channelId)
    .execute();
}
