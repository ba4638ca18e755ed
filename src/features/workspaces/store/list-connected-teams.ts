import type { Database } from '../../../database/open-database.ts';

/** The workspaces with a connection. */
export async function listConnectedTeams(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('connection')
    .select('team_id')
    .distinct()
    .where('replaced_at', 'is', null)
    .orderBy('team_id')
    .execute();
  return rows.map(({ team_id }) => team_id);
}
