import type { Transaction } from 'kysely';
import type { Tables } from '../../../database/tables.ts';
import { type EndedItem, isOnConnection, type RemovedConnection } from '../../workspaces/index.ts';

/** Ends the watches of a removed connection. Returns those that were not paused. */
export async function endWatches(
  trx: Transaction<Tables>,
  { by, at, ...connection }: RemovedConnection,
): Promise<EndedItem[]> {
  const { teamId } = connection;
  const locked = await trx
    .selectFrom('watch')
    .select('id')
    .where('team_id', '=', teamId)
    .where(isOnConnection('watch', connection))
    .where('ended_at', 'is', null)
    // Every transaction locks channels in this order. Otherwise two could deadlock.
    .orderBy('channel_id')
    .orderBy('id')
    .forUpdate()
    .execute();
  const ids = locked.map(({ id }) => id);
  const ofAlerts =
    ids.length === 0
      ? []
      : await trx
          .updateTable('watch')
          // The operator has no Slack user id.
          .set({ ended_at: at, ended_by: by })
          .where('team_id', '=', teamId)
          .where('id', 'in', ids)
          .returning(['channel_id', 'created_by', 'paused_at'])
          .execute();
  if (ids.length > 0) await trx.deleteFrom('watched_alert').where('watch_id', 'in', ids).execute();
  const others = [];
  for (const table of ['compliance_watch', 'policy_watch'] as const) {
    const rows = await trx
      .deleteFrom(table)
      .where('team_id', '=', teamId)
      .where(isOnConnection(table, connection))
      .returning(['channel_id', 'created_by', 'paused_at'])
      .execute();
    others.push(...rows);
  }
  return [...ofAlerts, ...others]
    .filter(({ paused_at }) => paused_at === null)
    .map(({ channel_id: channelId, created_by: ownerSlackUserId }) => ({
      teamId,
      channelId,
      ownerSlackUserId,
      kind: 'watch' as const,
    }));
}
