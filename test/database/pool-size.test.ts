import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { openDatabase } from '../../src/database/open-database.ts';
import { createDatabase, postgresUrl } from '../support/databases.ts';

const counts = z.array(z.object({ count: z.int() }));

/** What a process opens, with more work than connections. */
async function countConnections(poolSize?: number): Promise<number | undefined> {
  const { url, drop } = await createDatabase(postgresUrl ?? '');
  onTestFinished(drop);
  const { db, close } = await openDatabase(url, { poolSize });
  onTestFinished(close);
  const busy = Promise.all(
    Array.from({ length: 100 }, () => sql`select pg_sleep(0.02)`.execute(db)),
  );
  // Waits for its turn among them, so that all connections are open by then.
  const { rows } = await sql`
    select count(*)::integer as count from pg_stat_activity
    where datname = current_database()`.execute(db);
  await busy;
  return counts.parse(rows)[0]?.count;
}

describe.runIf(postgresUrl)('a process on PostgreSQL', () => {
  it('opens 10 connections at most', async () => {
    expect(await countConnections()).toBe(10);
  });

  it('opens as many as are configured', async () => {
    expect(await countConnections(3)).toBe(3);
  });
});
