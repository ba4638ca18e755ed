import { type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import type { Tables } from '../../../database/tables.ts';

const withConnection = ['watch', 'compliance_watch', 'policy_watch', 'digest'] as const;
type WithConnection = (typeof withConnection)[number];

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

/**
 * Gives rows of earlier versions their connection, before another one becomes the default. Where a
 * channel would then have two equal watches, the row of the earlier version is deleted.
 */
export async function settleOrigins(trx: Transaction<Tables>, teamId: string): Promise<void> {
  for (const table of ['compliance_watch', 'policy_watch'] as const) {
    const isSamePolicy =
      table === 'policy_watch' ? sql`true` : sql`other.policy_id = earlier.policy_id`;
    await sql`
      delete from ${sql.table(table)} as earlier using ${sql.table(table)} as other
      where earlier.team_id = ${teamId} and earlier.connection_origin_id is null
        and other.team_id = ${teamId} and other.channel_id = earlier.channel_id and ${isSamePolicy}
        and other.connection_origin_id = ${defaultOrigin(sql`${teamId}`)}`.execute(trx);
  }
  for (const table of withConnection) {
    await sql`
      update ${sql.table(table)} set connection_origin_id = ${defaultOrigin(sql`${teamId}`)}
      where team_id = ${teamId} and connection_origin_id is null`.execute(trx);
  }
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
