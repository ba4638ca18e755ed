import type { Database } from '../../../database/open-database.ts';
import { createTokenCipher, type SealingKey } from './token-cipher.ts';

/** Which of the keys encrypts the workspace's API token; undefined if there is no token. */
export async function readTokenKey(
  db: Database,
  teamId: string,
  encryptionKeys: Buffer[],
): Promise<SealingKey | undefined> {
  const row = await db
    .selectFrom('connection')
    .select('token_sealed')
    .where('team_id', '=', teamId)
    .where('replaced_at', 'is', null)
    .executeTakeFirst();
  return row?.token_sealed ? createTokenCipher(encryptionKeys).keyOf(row.token_sealed) : undefined;
}

/** The workspaces with a connection, for commands of the operator. */
export async function listConnectedTeams(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('connection')
    .select('team_id')
    .where('replaced_at', 'is', null)
    .orderBy('team_id')
    .execute();
  return rows.map(({ team_id }) => team_id);
}
