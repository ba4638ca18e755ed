import type { Transaction } from 'kysely';
import type { Tables } from '../../../database/tables.ts';
import type { NewConnection, Setup } from '../workspace-store.ts';
import type { TokenCipher } from './token-cipher.ts';

/** A changed owner makes no other connection: what waits for approval on it goes on. */
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

/** Wipes the token of the connection in use, if there is one, and puts the new one in its place. */
export async function replaceConnection(
  trx: Transaction<Tables>,
  cipher: TokenCipher,
  setup: Setup & { connection: NewConnection },
): Promise<void> {
  const { teamId, enterpriseId, connection, tokenOwner, savedBy, at } = setup;
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
}
