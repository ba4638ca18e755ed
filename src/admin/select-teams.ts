import { listLoggedTeams } from '../audit-log/read-chain.ts';
import type { Database } from '../database/tables.ts';

/**
 * The workspace that `--team` names, or all.
 * @throws with one line if it has no audit log: every workspace that Belay worked for has one.
 */
export async function selectTeams(db: Database, team: string | undefined): Promise<string[]> {
  const teams = await listLoggedTeams(db);
  if (team === undefined) return teams;
  if (!teams.includes(team)) throw new Error(`Workspace ${team} has no audit log.`);
  return [team];
}
