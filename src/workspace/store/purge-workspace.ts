import { sql, type Transaction } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import { type PurgedTeam, type PurgeTeam, purgeTables } from '../../database/team-purge.ts';

/** Deletes the API token: nothing opens the service for this workspace after this commits. */
export async function disconnect(
  trx: Transaction<Tables>,
  { teamId, at }: PurgedTeam,
): Promise<void> {
  await trx
    .updateTable('connection')
    .set((eb) => ({
      token_sealed: null,
      token_owner: null,
      tenant: null,
      replaced_at: eb.fn.coalesce('replaced_at', sql<Date>`${at}`),
    }))
    .where('team_id', '=', teamId)
    .execute();
}

const purgeSettings = purgeTables(
  'setup_change',
  'token_page',
  'channel_connection',
  'workspace_settings',
);

/**
 * Settings and connections. A connection stays, without its token, while a request that runs refers
 * to it; one that was saved in the meantime loses its token first.
 */
export const purgeWorkspace: PurgeTeam = async (trx, team) => {
  await disconnect(trx, team);
  const { numDeletedRows } = await trx
    .deleteFrom('connection')
    .where('team_id', '=', team.teamId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('approval')
            .select('approval.id')
            .whereRef('approval.team_id', '=', 'connection.team_id')
            .whereRef('approval.connection_id', '=', 'connection.id'),
        ),
      ),
    )
    .executeTakeFirstOrThrow();
  const progress = await purgeSettings(trx, team);
  return numDeletedRows > 0n ? 'more' : progress;
};
