import type { Database } from '../database/open-database.ts';
import { type ChainReport, type Checkpoint, verifyChain } from './chain.ts';
import { deriveLogKeys } from './keys.ts';
import { listLoggedTeams, readTeamChain } from './reader.ts';

/**
 * Verifies the log of every team that the database or a checkpoint knows. What is appended meanwhile
 * is not looked at; read the checkpoints first, or they will have seen more than this does.
 */
export async function verifyAuditLog(
  db: Database,
  encryptionKeys: Buffer[],
  checkpoints: Checkpoint[],
): Promise<ChainReport[]> {
  const keys = deriveLogKeys(encryptionKeys);
  const seen = Map.groupBy(checkpoints, ({ teamId }) => teamId);
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const teamIds = new Set([...(await listLoggedTeams(trx)), ...seen.keys()]);
      const reports: ChainReport[] = [];
      for (const teamId of teamIds) {
        const chain = await readTeamChain(trx, teamId);
        reports.push(await verifyChain(chain, keys, seen.get(teamId) ?? []));
      }
      return reports;
    });
}
