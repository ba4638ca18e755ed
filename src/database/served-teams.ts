import { type RawBuilder, type SqlBool, sql } from 'kysely';

/**
 * A condition on a column with a team's id, such as `digest.team_id`: whether this process works for
 * the team. Everything that claims work in the background asks this, so rows of a workspace that
 * Belay isn't installed in stay as they are, and come back once it is.
 */
export type ServedTeams = (teamIdColumn: string) => RawBuilder<SqlBool>;

/** The one team that a bot token belongs to. */
export function serveOnly(teamId: string): ServedTeams {
  return (column) => sql<SqlBool>`${sql.ref(column)} = ${teamId}`;
}

/** For programs that read the database and don't work for any team, such as the admin command. */
export const serveAll: ServedTeams = () => sql<SqlBool>`true`;
