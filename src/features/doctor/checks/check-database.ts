import { sql } from 'kysely';
import { defaultPoolSize } from '../../../database/postgres-pool.ts';
import type { Database } from '../../../database/tables.ts';
import { plural } from '../../../slack/ui/words.ts';
import { type Found, ok, problem, warning } from '../finding.ts';

/** A command needs several statements. */
const maxLatencyMs = 500;
const minFreeConnections = 10;

export const databaseDown = problem(
  "The database doesn't answer.",
  'Check the database server and `DATABASE_URL`.',
);

/** The server's version, how fast it answers, and how many connections are free. */
export async function checkDatabase({
  db,
  isEmbedded,
}: {
  db: Database;
  isEmbedded: boolean;
}): Promise<Found[]> {
  const facts = await readFacts(db).catch(() => undefined);
  if (!facts) return [databaseDown];
  const { version, latencyMs, freeConnections } = facts;
  const free = isEmbedded ? '' : ` · ${plural(freeConnections, 'free connection')}`;
  const summary = `PostgreSQL ${version}${isEmbedded ? ', embedded' : ''} · ${latencyMs} ms${free}`;
  if (!isEmbedded && freeConnections < minFreeConnections) {
    const remedy = `Increase \`max_connections\`, decrease \`DATABASE_POOL_SIZE\` (${defaultPoolSize} per process by default), or run fewer processes.`;
    return [warning(`Few connections are free. ${summary}`, remedy)];
  }
  if (latencyMs > maxLatencyMs) {
    const remedy =
      'Check the load of the database server and the network latency between it and Belay.';
    return [warning(`The database is slow. ${summary}`, remedy)];
  }
  return [ok(summary)];
}

async function readFacts(db: Database) {
  const startedAt = performance.now();
  await sql`select 1`.execute(db);
  const latencyMs = Math.round(performance.now() - startedAt);
  const { rows } = await sql<{ version: string; free: number }>`
    select current_setting('server_version') as version,
      current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int
        - (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as free
  `.execute(db);
  const [{ version, free } = { version: 'unknown', free: 0 }] = rows;
  return { version, latencyMs, freeConnections: Math.max(0, free) };
}
