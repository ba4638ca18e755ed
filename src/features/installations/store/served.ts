import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ServedTeams } from '../../../database/served-teams.ts';

/** A condition on `installation`: active, and of this team or of the organization that it belongs to. */
export function activeFor(teamId: RawBuilder<unknown>): RawBuilder<SqlBool> {
  return sql<SqlBool>`installation.state = 'active' and (
    (not installation.is_enterprise_install and installation.team_id = ${teamId})
    or (installation.is_enterprise_install and installation.enterprise_id =
      (select member.enterprise_id from installation_team as member
        where member.team_id = ${teamId})))`;
}

/** The teams in which Belay is installed with OAuth at this moment. */
export const serveInstalled: ServedTeams = (column) =>
  sql<SqlBool>`exists (select 1 from installation where ${activeFor(sql.ref(column))})`;
