import { sql } from 'kysely';
import type { ServedTeams } from '../../../database/served-teams.ts';
import type { Database } from '../../../database/tables.ts';
import { refreshDueAt } from '../timings.ts';
import { servesTeam } from './installation-row.ts';

/** The state of a workspace's installation. */
type InstallationStatus =
  | { state: 'active'; tokenExpiresAt: Date | undefined }
  | { state: 'reinstall_needed'; code: string; at: Date; isAnswerLost: boolean };

/**
 * The status of the installation that serves the workspace; without one, of the one to be repeated.
 * Undefined if Belay is not installed with OAuth in the workspace or its organization.
 */
export async function readInstallationStatus(
  db: Database,
  teamId: string,
): Promise<InstallationStatus | undefined> {
  const organization = db
    .selectFrom('organization_workspace')
    .select('enterprise_id')
    .where('team_id', '=', teamId)
    .where('removed_at', 'is', null);
  const row = await db
    .selectFrom('installation')
    .selectAll()
    .where(({ or, and, eb }) =>
      or([
        servesTeam(sql`${teamId}::text`),
        and([
          eb('state', '=', 'reinstall_needed'),
          or([eb('team_id', '=', teamId), eb('team_id', '=', organization)]),
        ]),
      ]),
    )
    .orderBy(sql`state = 'active'`, 'desc')
    .orderBy(sql`team_id = ${teamId}`, 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row) return undefined;
  if (row.state === 'active') {
    const isRefreshed = row.refresh_token_sealed !== null;
    const tokenExpiresAt = isRefreshed ? (row.token_expires_at ?? undefined) : undefined;
    return { state: 'active', tokenExpiresAt };
  }
  return {
    state: 'reinstall_needed',
    code: row.refused_code ?? 'unknown',
    at: row.refused_at ?? row.installed_at,
    isAnswerLost: row.refresh_attempts > 1,
  };
}

/** Every workspace or organization in which Belay must be installed again. */
export async function listReinstalls(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('installation')
    .select('team_id')
    .where('state', '=', 'reinstall_needed')
    .orderBy('refused_at')
    .execute();
  return rows.map(({ team_id: teamId }) => teamId);
}

/** How many installations are in each state, and since when the oldest token is due to be refreshed. */
export async function readInstallationBacklog(
  db: Database,
  now: Date,
  isServed: ServedTeams,
): Promise<{ byState: Record<string, number>; oldestDueAt: Date | undefined }> {
  const states = await db
    .selectFrom('installation')
    .select(['state', sql<number>`count(*)`.as('count')])
    .groupBy('state')
    .execute();
  const first = await db
    .selectFrom('installation as due')
    .select('token_expires_at')
    .where('state', '=', 'active')
    .where('refresh_token_sealed', 'is not', null)
    .where(isServed('due.team_id'))
    .orderBy('token_expires_at')
    .limit(1)
    .executeTakeFirst();
  const dueAt = first?.token_expires_at && refreshDueAt(first.token_expires_at);
  return {
    byState: Object.fromEntries(states.map(({ state, count }) => [state, count])),
    oldestDueAt: dueAt && dueAt <= now ? dueAt : undefined,
  };
}
