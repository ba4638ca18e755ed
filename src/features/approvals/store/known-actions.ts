import { type SqlBool, sql } from 'kysely';
import { approvableActions } from '../../../audit-log/registry.ts';
import type { Database } from '../../../database/tables.ts';

/**
 * `where(isKnownAction())` on every statement that changes requests or finds work. While an upgrade is
 * under way, the newer version makes requests that this one can't read: it leaves them as they are, and
 * a process of the newer version continues them.
 */
export function isKnownAction() {
  return sql<SqlBool>`approval.action in (${sql.join(approvableActions)})`;
}

/** How many open requests are for actions of a newer version. */
export async function countNewerRequests(db: Database, teamId: string): Promise<number> {
  const { count } = await db
    .selectFrom('approval')
    .select(sql<number>`count(*)`.as('count'))
    .where('team_id', '=', teamId)
    .where('action', 'not in', approvableActions)
    .where('wake_at', 'is not', null)
    .executeTakeFirstOrThrow();
  return count;
}
