import { sql } from 'kysely';
import type { ServedTeams } from '../../database/served-teams.ts';
import type { Database } from '../../database/tables.ts';

type RequestBacklog = {
  /** How many requests are in each state, by the value of the column `state`. */
  byState: Record<string, number>;
  /** When what waits longest became due: the deadline of a request, or a run. */
  oldestDueAt: Date | undefined;
};

/** Reads indexes only, because it runs at every scrape of the metrics. */
export async function readRequestBacklog(
  db: Database,
  now: Date,
  isServed: ServedTeams,
): Promise<RequestBacklog> {
  const states = await db
    .selectFrom('approval')
    .select(['state', sql<number>`count(*)`.as('count')])
    .groupBy('state')
    .execute();
  const readDue = (table: 'approval' | 'run') =>
    db
      .selectFrom(table)
      .select('wake_at')
      .where('wake_at', '<=', now)
      .where(isServed(`${table}.team_id`))
      .orderBy('wake_at')
      .limit(1)
      .executeTakeFirst();
  const due = [await readDue('approval'), await readDue('run')].flatMap(
    (row) => row?.wake_at ?? [],
  );
  return {
    byState: Object.fromEntries(states.map(({ state, count }) => [state, count])),
    oldestDueAt: due.toSorted((one, other) => one.getTime() - other.getTime())[0],
  };
}
