import { type SqlBool, sql } from 'kysely';
import type { ServedTeams } from '../../../database/served-teams.ts';

/** The teams in which Belay is installed with OAuth at this moment. */
export const serveInstalled: ServedTeams = (column) =>
  sql<SqlBool>`exists (select 1 from installation
    where installation.team_id = ${sql.ref(column)} and installation.state = 'active')`;
