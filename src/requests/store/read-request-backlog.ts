import { sql } from 'kysely';
import type { ServedTeams } from '../../database/served-teams.ts';
import type { Database } from '../../database/tables.ts';

type RequestBacklog = {
  /** How many requests are in each state, by the value of the column `state`; a bulk request is one. */
  byState: Record<string, number>;
  /** When the request that waits longest for its next step became due. */
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
    .where('parent_id', 'is', null)
    .groupBy('state')
    .execute();
  const due = await db
    .selectFrom('approval')
    .select('wake_at')
    .where('wake_at', '<=', now)
    .where(isServed('approval.team_id'))
    .orderBy('wake_at')
    .limit(1)
    .executeTakeFirst();
  return {
    byState: Object.fromEntries(states.map(({ state, count }) => [state, count])),
    oldestDueAt: due?.wake_at ?? undefined,
  };
}
