import type { Selectable, Transaction } from 'kysely';
import type { Tables } from '../../../database/tables.ts';
import type { NewConnection, Setup } from '../workspace.ts';
import type { WorkspaceSettingsTable } from './tables.ts';
import type { TokenCipher } from './token-cipher.ts';

/**
 * The settings so far, locked until the transaction ends, so that of two saves at once each records
 * what it changed itself. Creates the row at the first save.
 */
export async function lockSettings(trx: Transaction<Tables>, teamId: string) {
  await trx
    .insertInto('workspace_settings')
    .values({ team_id: teamId, approvers: '[]' })
    .onConflict((conflict) => conflict.column('team_id').doNothing())
    .execute();
  return trx
    .selectFrom('workspace_settings')
    .selectAll()
    .where('team_id', '=', teamId)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

/** Whether somebody has saved since the form was filled. */
export function isStale({ basedOn }: Setup, row: Selectable<WorkspaceSettingsTable>): boolean {
  if (basedOn === undefined) return false;
  const current = typeof basedOn === 'string' ? (row.saved_from_view_id ?? '') : row.revision;
  return basedOn !== current;
}

export async function saveSettings(
  trx: Transaction<Tables>,
  { teamId, settings, viewId }: Setup,
): Promise<void> {
  await trx
    .updateTable('workspace_settings')
    .set((eb) => ({
      approvals_channel_id: settings.approvalsChannelId ?? null,
      approvers: JSON.stringify(settings.approvers),
      delete_grace_minutes: settings.deleteGraceMinutes,
      users_per_hour: settings.usersPerHour,
      saved_from_view_id: viewId,
      revision: eb('revision', '+', 1),
    }))
    .where('team_id', '=', teamId)
    .execute();
}

/** A changed owner makes no new connection, so requests that wait for approval stay valid. */
export async function saveTokenOwner(
  trx: Transaction<Tables>,
  { teamId, tokenOwner }: Setup,
): Promise<void> {
  await trx
    .updateTable('connection')
    .set({ token_owner: tokenOwner ?? null })
    .where('team_id', '=', teamId)
    .where('replaced_at', 'is', null)
    .execute();
}

/** Adds the new connection; of the one in use, if there is one, token and owner are wiped. */
export async function replaceConnection(
  trx: Transaction<Tables>,
  cipher: TokenCipher,
  setup: Setup & { connection: NewConnection },
): Promise<void> {
  const { teamId, enterpriseId, connection, tokenOwner, savedBy, at } = setup;
  await trx
    .updateTable('connection')
    .set({ replaced_at: at, token_sealed: null, token_owner: null })
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
}
