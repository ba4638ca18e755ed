import { type RawBuilder, type SqlBool, sql } from 'kysely';

type WithConnection = 'watch' | 'compliance_watch' | 'policy_watch' | 'digest';

/** A connection as rows refer to it: the default one without an origin. */
export type OriginRef = { teamId: string; originId: string | undefined };

/**
 * The origin of the connection that a row of the table is about: without one, as in rows of earlier
 * versions, the default connection's. Null in a workspace without connections.
 */
export function originOf(table: WithConnection): RawBuilder<string | null> {
  const column = sql.ref(`${table}.connection_origin_id`);
  return sql<string | null>`coalesce(${column}, ${defaultOrigin(sql.ref(`${table}.team_id`))})`;
}

/** Whether a row of the table is about this connection, or those that it replaced. */
export function isOnConnection(table: WithConnection, connection: OriginRef): RawBuilder<SqlBool> {
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

function defaultOrigin(teamId: RawBuilder<unknown>) {
  return sql`(select fallback.origin_id from connection as fallback
    where fallback.team_id = ${teamId} and fallback.replaced_at is null and fallback.is_default)`;
}
