import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../../src/database/tables.ts';
import { newerAction } from './versions.ts';

const everyMs = 4000;

/**
 * Now and then turns pending requests into requests for an action that only the newer version has. Its
 * replicas do the same for both actions. Resolves to the number of requests.
 */
export async function makeNewerRequests(db: Database, signal: AbortSignal): Promise<number> {
  let made = 0;
  while (!signal.aborted) {
    const { numAffectedRows = 0n } = await sql`
      update approval set action = ${newerAction} where id = (
        select id from approval
        where state = 'pending' and action = 'users.disable' and message_ts is not null
        order by requested_at desc limit 1 for update skip locked)`.execute(db);
    made += Number(numAffectedRows);
    await wait(everyMs, undefined, { signal }).catch(() => undefined);
  }
  return made;
}

/** Turns them back, for the checks of this program. Resolves to the number of ended ones by outcome. */
export async function turnBack(db: Database): Promise<Record<string, number>> {
  const { rows } = await sql<{ state: string; count: number }>`
    with turned as (
      update approval set action = 'users.disable' where action = ${newerAction} returning state)
    select state, count(*)::int as count from turned group by state`.execute(db);
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}
