import type { Database } from '../../database/tables.ts';
import { listConnectedTeams } from '../../workspace/store/connected-teams.ts';
import type { TokenCipher } from '../../workspace/store/token-cipher.ts';
import { writeConfiguration } from './file/canonical.ts';
import type { Workspace } from './file/configuration.ts';
import { ConfigurationError } from './file/parse-configuration.ts';
import { readStored } from './read-stored.ts';

/**
 * The configuration file of one workspace or of all connected ones, without tokens. The same stored
 * values give the same text.
 * @throws {ConfigurationError} if the workspace isn't set up
 */
export async function exportConfiguration(
  teamId: string | undefined,
  { db, cipher }: { db: Database; cipher: TokenCipher },
): Promise<string> {
  const connected = await listConnectedTeams(db);
  const teamIds = connected.filter((one) => teamId === undefined || one === teamId);
  if (teamId !== undefined && teamIds.length === 0) {
    throw new ConfigurationError(`Workspace ${teamId} isn't set up.`);
  }
  const workspaces = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const read = new Map<string, Workspace>();
      for (const one of teamIds) read.set(one, (await readStored(trx, one, cipher)).workspace);
      return read;
    });
  return writeConfiguration(workspaces);
}
