import { type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import type { Tables } from '../../../database/tables.ts';

type WithConnection = 'watch' | 'compliance_watch' | 'policy_watch' | 'digest';

/** A connection as rows refer to it: the default one without an origin. */
export type OriginRef = { teamId: string; originId: string | undefined };

/**
 * The origin of the connection that a digest is about: the default one's, if the digest was created
 * before the workspace had a connection. Null while it has none.
 */
export const originOfDigest = sql<string | null>`coalesce(
  digest.connection_origin_id, ${defaultOrigin(sql.ref('digest.team_id'))})`;

/** Whether a row of the table is about this connection, or those that it replaced. */
export function isOnConnection(table: WithConnection, connection: OriginRef): RawBuilder<SqlBool> {
  const origin = table === 'digest' ? originOfDigest : sql.ref(`${table}.connection_origin_id`);
  return sql<SqlBool>`${origin} is not distinct from ${resolveOrigin(connection)}`;
}

/** Gives digests without a connection the default one, before another one becomes the default. */
export async function settleDigests(trx: Transaction<Tables>, teamId: string): Promise<void> {
  await sql`
    update digest set connection_origin_id = ${defaultOrigin(sql`${teamId}`)}
    where team_id = ${teamId} and connection_origin_id is null`.execute(trx);
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
