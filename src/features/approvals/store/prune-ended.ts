import { sql } from 'kysely';
import type { ServedTeams } from '../../../database/served-teams.ts';
import type { Database } from '../../../database/tables.ts';

const maxRows = 1000;
const endedAt = sql<Date>`coalesce(finished_at, decided_at, requested_at)`;

/**
 * Deletes requests that ended before `before`, at most a thousand at a time. Requests that Belay still
 * decides, runs or checks stay, however old they are. The audit log keeps its entries about them.
 */
export async function pruneEnded(
  db: Database,
  { before, isServed }: { before: Date; isServed: ServedTeams },
): Promise<void> {
  const ended = db
    .selectFrom('approval')
    .select('id')
    .where('state', 'not in', ['pending', 'approved', 'executing', 'scheduled'])
    .where('wake_at', 'is', null)
    .where(isServed('approval.team_id'))
    .where(endedAt, '<', before)
    // By its index.
    .orderBy(endedAt)
    .limit(maxRows);
  // As an array: for a subquery, PostgreSQL may read the whole table.
  await db.deleteFrom('approval').where('id', '=', sql<string>`any (array(${ended}))`).execute();
}
