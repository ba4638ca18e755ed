import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import type { Database } from '../../src/database/tables.ts';
import { patienceMs } from './patience.ts';

/** Until so many transactions wait for others. PostgreSQL only. */
export async function waitForLock(db: Database, waiting = 1): Promise<void> {
  await vi.waitFor(async () => {
    const { rows } = await sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    expect(rows).toHaveLength(waiting);
  }, patienceMs);
}
