import { randomUUID } from 'node:crypto';
import type { Database } from '../../../src/database/tables.ts';
import { noon } from '../../requests/store/rows.ts';
import { ops } from './stage.ts';

type Owned = { teamId: string; createdBy: string; channelId?: string };

/** Inserts and reads watches, of #ops by default. */
export function watchesIn(db: Database) {
  return {
    async add({ teamId, createdBy, channelId = ops }: Owned): Promise<string> {
      const [id, connectionId] = [randomUUID(), randomUUID()];
      await db
        .insertInto('connection')
        .values({
          id: connectionId,
          team_id: teamId,
          region_id: 'eu',
          token_sealed: null,
          origin_id: connectionId,
          saved_by: createdBy,
          saved_at: noon,
          replaced_at: noon,
        })
        .execute();
      await db
        .insertInto('watch')
        .values({
          id,
          team_id: teamId,
          connection_id: connectionId,
          channel_id: channelId,
          connection_origin_id: connectionId,
          search: '{"words":[]}',
          created_by: createdBy,
          created_at: noon,
        })
        .execute();
      return id;
    },
    pausedBy: async (teamId: string) =>
      (
        await db
          .selectFrom('watch')
          .select('created_by')
          .where('team_id', '=', teamId)
          .where('paused_reason', 'is not', null)
          .orderBy('created_by')
          .execute()
      ).map((row) => row.created_by),
    async resume(teamId: string): Promise<void> {
      await db
        .updateTable('watch')
        .set({ paused_at: null, paused_reason: null })
        .where('team_id', '=', teamId)
        .execute();
    },
  };
}
