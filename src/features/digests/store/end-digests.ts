import type { Transaction } from 'kysely';
import type { Tables } from '../../../database/tables.ts';
import { type EndedItem, isOnConnection, type RemovedConnection } from '../../workspaces/index.ts';

/** Ends the digests of a removed connection. Returns those that were not paused. */
export async function endDigests(
  trx: Transaction<Tables>,
  { teamId, originId }: RemovedConnection,
): Promise<EndedItem[]> {
  const rows = await trx
    .deleteFrom('digest')
    .where('team_id', '=', teamId)
    .where(isOnConnection('digest', { teamId, originId }))
    .returning(['channel_id', 'created_by', 'paused_at'])
    .execute();
  return rows
    .filter(({ paused_at }) => paused_at === null)
    .map(({ channel_id: channelId, created_by: ownerSlackUserId }) => ({
      teamId,
      channelId,
      ownerSlackUserId,
      kind: 'digest' as const,
    }));
}
