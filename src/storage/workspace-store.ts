import type { Transaction } from 'kysely';
import type { Setup, WorkspaceStore } from '../features/workspaces/workspace-store.ts';
import type { Database } from './open-database.ts';
import type { Tables } from './tables.ts';
import type { TokenCipher } from './token-cipher.ts';

/** Connections and settings in PostgreSQL; `WorkspaceStore` has the rules. */
export function createWorkspaceStore(db: Database, cipher: TokenCipher): WorkspaceStore {
  const inUse = (teamId: string) =>
    db
      .selectFrom('connection')
      .select(['id', 'region_id', 'organizational_unit_id', 'token_sealed'])
      .where('team_id', '=', teamId)
      .where('replaced_at', 'is', null)
      .executeTakeFirst();

  return {
    async describeConnection(teamId) {
      const row = await inUse(teamId);
      return row && summarize(row);
    },

    async openConnection(teamId) {
      const row = await inUse(teamId);
      if (!row?.token_sealed) return undefined;
      const token = cipher.open(row.token_sealed, { teamId, connectionId: row.id });
      return token === undefined ? 'unreadable' : { ...summarize(row), token };
    },

    async readSettings(teamId) {
      const row = await db
        .selectFrom('workspace_settings')
        .select(['approvals_channel_id', 'approvers'])
        .where('team_id', '=', teamId)
        .executeTakeFirst();
      return {
        approvalsChannelId: row?.approvals_channel_id ?? undefined,
        approvers: row?.approvers ?? [],
      };
    },

    saveSetup: (setup) =>
      db.transaction().execute(async (trx) => {
        if (!(await saveSettings(trx, setup))) return undefined;
        return setup.connection ? replaceConnection(trx, cipher, setup) : [];
      }),
  };
}

function summarize(row: { id: string; region_id: string; organizational_unit_id: string | null }) {
  return {
    id: row.id,
    regionId: row.region_id,
    organizationalUnitId: row.organizational_unit_id ?? undefined,
  };
}

/** False when the same view has saved before. */
async function saveSettings(trx: Transaction<Tables>, setup: Setup): Promise<boolean> {
  const values = {
    approvals_channel_id: setup.settings.approvalsChannelId ?? null,
    approvers: JSON.stringify(setup.settings.approvers),
    saved_from_view_id: setup.viewId,
  };
  const saved = await trx
    .insertInto('workspace_settings')
    .values({ team_id: setup.teamId, ...values })
    .onConflict((conflict) =>
      conflict
        .column('team_id')
        .doUpdateSet(values)
        .where('workspace_settings.saved_from_view_id', '<>', setup.viewId),
    )
    .returning('team_id')
    .executeTakeFirst();
  return saved !== undefined;
}

async function replaceConnection(
  trx: Transaction<Tables>,
  cipher: TokenCipher,
  { teamId, enterpriseId, connection, savedBy, at }: Setup,
) {
  if (!connection) return [];
  await trx
    .updateTable('connection')
    .set({ replaced_at: at, token_sealed: null })
    .where('team_id', '=', teamId)
    .where('replaced_at', 'is', null)
    .execute();
  await trx
    .insertInto('connection')
    .values({
      id: connection.id,
      team_id: teamId,
      enterprise_id: enterpriseId ?? null,
      region_id: connection.regionId,
      organizational_unit_id: connection.organizationalUnitId ?? null,
      token_sealed: cipher.seal(connection.token, { teamId, connectionId: connection.id }),
      saved_by: savedBy,
      saved_at: at,
    })
    .execute();
  const voided = await trx
    .updateTable('approval')
    .set((eb) => ({
      state: 'voided',
      outcome: 'The connection to the service was changed in setup.',
      finished_at: at,
      version: eb('version', '+', 1),
    }))
    .where('team_id', '=', teamId)
    .where('state', '=', 'pending')
    .returning(['team_id', 'id'])
    .execute();
  return voided.map((row) => ({ teamId: row.team_id, id: row.id }));
}
