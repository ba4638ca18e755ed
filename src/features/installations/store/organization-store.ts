import { sql } from 'kysely';
import type { Database } from '../../../database/tables.ts';

export type OrganizationStore = ReturnType<typeof createOrganizationStore>;

/** Which workspaces the installations in whole organizations give access to. */
export function createOrganizationStore(db: Database) {
  return {
    /** The organizations (`E…`) in which Belay is installed. */
    async list(): Promise<string[]> {
      const rows = await db
        .selectFrom('installation')
        .select('team_id')
        .whereRef('team_id', '=', 'enterprise_id')
        .where('state', '=', 'active')
        .execute();
      return rows.map(({ team_id: organizationId }) => organizationId);
    },

    /**
     * Replaces the stored list of an organization's workspaces. Belay stops serving a workspace that is
     * no longer listed; its data stays. Stores nothing if the organization's installation ended while
     * Slack was asked.
     */
    replaceWorkspaces: (organizationId: string, teamIds: readonly string[], at: Date) =>
      db.transaction().execute(async (trx) => {
        // Locked, so that two processes don't mix their lists.
        const installed = await trx
          .selectFrom('installation')
          .select('id')
          .where('team_id', '=', organizationId)
          .where('state', '=', 'active')
          .forUpdate()
          .executeTakeFirst();
        if (!installed) return;
        await trx
          .updateTable('organization_workspace')
          .set({ removed_at: at })
          .where('enterprise_id', '=', organizationId)
          .where('team_id', '<>', sql<string>`all(${[...teamIds]}::text[])`)
          .where('removed_at', 'is', null)
          .execute();
        if (teamIds.length === 0) return;
        const rows = teamIds.map((teamId) => ({ team_id: teamId, enterprise_id: organizationId }));
        await trx
          .insertInto('organization_workspace')
          .values(rows)
          .onConflict((conflict) =>
            conflict.column('team_id').doUpdateSet({
              enterprise_id: organizationId,
              removed_at: null,
            }),
          )
          .execute();
      }),
  };
}
