import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** A connection as rows refer to it: the default one without an origin. */
export type OriginRef = { teamId: string; originId: string | undefined };

/** The same for rows that always name it. */
export type OnConnection = { teamId: string; originId: string };

/**
 * The origin of the connection that a row of the table is about: the default one's, if the row was
 * created before the workspace had a connection. Null while it has none.
 */
export function originOf(table: string): RawBuilder<string | null> {
  const column = sql.ref(`${table}.connection_origin_id`);
  return sql<string | null>`coalesce(${column}, ${defaultOrigin(sql.ref(`${table}.team_id`))})`;
}

/** Whether a row of the table is about this connection, or those that it replaced. */
export function isOnConnection(table: string, connection: OriginRef): RawBuilder<SqlBool> {
  return sql<SqlBool>`${originOf(table)} is not distinct from ${resolveOrigin(connection)}`;
}

/** The ids of this connection and of those that it replaced. */
export function connectionIdsOf(connection: OriginRef): RawBuilder<string> {
  return sql<string>`(select id from connection
    where team_id = ${connection.teamId} and origin_id = ${resolveOrigin(connection)})`;
}

function resolveOrigin({ teamId, originId }: OriginRef) {
  return originId === undefined ? defaultOrigin(sql`${teamId}`) : sql`${originId}::uuid`;
}

/** The origin of the default connection of a workspace. */
export function defaultOrigin(teamId: RawBuilder<unknown>): RawBuilder<string | null> {
  return sql<string | null>`(select fallback.origin_id from connection as fallback
    where fallback.team_id = ${teamId} and fallback.replaced_at is null and fallback.is_default)`;
}
