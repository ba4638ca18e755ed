import type { Selectable, Transaction } from 'kysely';
import type {
  ConnectionSummary,
  Setup,
  WorkspaceStore,
} from '../features/workspaces/workspace-store.ts';
import type { Database } from './open-database.ts';
import type { ConnectionTable, Tables } from './tables.ts';
import type { TokenCipher } from './token-cipher.ts';

/** Of a workspace that was never set up; as the columns have them. */
const defaults = { deleteGraceMinutes: 30, usersPerHour: 10 };

/** Connections and settings in PostgreSQL; `WorkspaceStore` has the rules. */
export function createWorkspaceStore(db: Database, cipher: TokenCipher): WorkspaceStore {
  const inUse = (teamId: string) =>
    db
      .selectFrom('connection')
      .select(['id', 'region_id', 'organizational_unit_id', 'token_owner', 'token_sealed'])
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
        .select(['approvals_channel_id', 'approvers', 'delete_grace_minutes', 'users_per_hour'])
        .where('team_id', '=', teamId)
        .executeTakeFirst();
      return {
        approvalsChannelId: row?.approvals_channel_id ?? undefined,
        approvers: row?.approvers ?? [],
        deleteGraceMinutes: row?.delete_grace_minutes ?? defaults.deleteGraceMinutes,
        usersPerHour: row?.users_per_hour ?? defaults.usersPerHour,
      };
    },

    saveSetup: (setup) =>
      db.transaction().execute(async (trx) => {
        if (!(await saveSettings(trx, setup))) return undefined;
        if (setup.connection) return replaceConnection(trx, cipher, setup);
        await saveTokenOwner(trx, setup);
        return [];
      }),
  };
}

type ConnectionRow = Pick<
  Selectable<ConnectionTable>,
  'id' | 'region_id' | 'organizational_unit_id' | 'token_owner'
>;

function summarize(row: ConnectionRow): ConnectionSummary {
  return {
    id: row.id,
    regionId: row.region_id,
    organizationalUnitId: row.organizational_unit_id ?? undefined,
    tokenOwner: row.token_owner ?? undefined,
  };
}

/** False when the same view has saved before. */
async function saveSettings(trx: Transaction<Tables>, setup: Setup): Promise<boolean> {
  const values = {
    approvals_channel_id: setup.settings.approvalsChannelId ?? null,
    approvers: JSON.stringify(setup.settings.approvers),
    delete_grace_minutes: setup.settings.deleteGraceMinutes,
    users_per_hour: setup.settings.usersPerHour,
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

async function saveTokenOwner(trx: Transaction<Tables>, { teamId, tokenOwner }: Setup) {
  await trx
    .updateTable('connection')
    .set({ token_owner: tokenOwner ?? null })
    .where('team_id', '=', teamId)
    .where('replaced_at', 'is', null)
    .execute();
}

async function replaceConnection(
  trx: Transaction<Tables>,
  cipher: TokenCipher,
  { teamId, enterpriseId, connection, tokenOwner, savedBy, at }: Setup,
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
      token_owner: tokenOwner ?? null,
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
