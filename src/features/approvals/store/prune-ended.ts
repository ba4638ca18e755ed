import { sql } from 'kysely';
import type { Database } from '../../../database/tables.ts';

const maxRows = 1000;

/**
 * Deletes requests that ended before `before`, at most a thousand at a time. Requests that Belay still
 * decides, runs or checks stay, however old they are. The audit log keeps its entries about them.
 */
export async function pruneEnded(db: Database, before: Date): Promise<void> {
  const ended = db
    .selectFrom('approval')
    .select('id')
    .where('state', 'not in', ['pending', 'approved', 'executing', 'scheduled'])
    .where('wake_at', 'is', null)
    .where(sql<Date>`coalesce(finished_at, decided_at, requested_at)`, '<', before)
    .limit(maxRows);
  // As an array: for a subquery, PostgreSQL may read the whole table.
  await db.deleteFrom('approval').where('id', '=', sql<string>`any (array(${ended}))`).execute();
}
