import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { openDatabase } from '../../src/database/open-database.ts';
import { defaultPoolSize, listeners, queuePoolSize } from '../../src/database/postgres-pool.ts';
import type { Database } from '../../src/database/tables.ts';
import { openJobQueue } from '../../src/jobs/job-queue.ts';
import { createLogger } from '../../src/logger.ts';
import { createDatabase, postgresUrl } from '../support/databases.ts';

/** What a process opens, with more work than connections: by the name of the connection. */
async function countConnections(poolSize?: number): Promise<Record<string, number>> {
  const { url, drop } = await createDatabase(postgresUrl ?? '');
  onTestFinished(drop);
  const { db, shared, close } = await openDatabase(url, { poolSize });
  onTestFinished(close);
  const jobs = await openJobQueue(shared, { log: createLogger('silent') });
  onTestFinished(() => jobs.stop());
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  await jobs.work(Object.fromEntries(names.map((name) => [name, async () => undefined])));
  const enqueued = names.flatMap((queue) =>
    Array.from({ length: 20 }, () => ({ queue, data: {} })),
  );
  const busy = Promise.all(
    enqueued.map((job) =>
      db.transaction().execute(async (trx) => {
        await jobs.enqueue(trx, job);
        await sql`select pg_sleep(0.02)`.execute(trx);
      }),
    ),
  );
  const counted = await readConnections(db);
  await busy;
  return counted;
}

const counts = z.array(z.object({ name: z.string(), count: z.int() }));

/** Waits for its turn among the transactions, so that all connections are open by then. */
async function readConnections(db: Database): Promise<Record<string, number>> {
  const { rows } = await sql`
    select application_name as name, count(*)::integer as count from pg_stat_activity
    where datname = current_database() group by 1`.execute(db);
  return Object.fromEntries(counts.parse(rows).map(({ name, count }) => [name, count]));
}

describe.runIf(postgresUrl)('a process on PostgreSQL', () => {
  it('opens 15 connections at most', async () => {
    expect(defaultPoolSize + queuePoolSize + listeners).toBe(15);
    const { '': pool, pgboss: queue } = await countConnections();
    expect(pool).toBe(defaultPoolSize);
    expect(queue).toBe(queuePoolSize + listeners);
  });

  it('opens as many for its statements as are configured', async () => {
    const { '': pool } = await countConnections(3);
    expect(pool).toBe(3);
  });
});
