import { exec } from 'node:child_process';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { restartCommand } from '../../scripts/postgres-url.ts';
import type { Database } from '../../src/database/open-database.ts';
import { runOn } from '../../test/support/databases.ts';

/** The database role of the replicas: it separates their statements from those of the program. */
const replicaRole = 'belay_replica';

/**
 * Makes the server keep the text of each statement, from all processes, with placeholders for values,
 * and how often it ran. https://www.postgresql.org/docs/current/pgstatstatements.html
 * @returns the URL for the replicas
 */
export async function recordStatements(serverUrl: string, databaseUrl: string): Promise<string> {
  if (!restartCommand) {
    throw new Error('This program restarts PostgreSQL: run it without DATABASE_URL.');
  }
  if (!isPrepared) {
    await runOn(serverUrl, "alter system set shared_preload_libraries = 'pg_stat_statements'");
    await promisify(exec)(restartCommand);
    // Another program may have run on the same server.
    await runOn(serverUrl, `drop role if exists ${replicaRole}`);
    await runOn(serverUrl, `create role ${replicaRole} login superuser`);
    isPrepared = true;
  }
  await runOn(databaseUrl, 'create extension pg_stat_statements');
  return Object.assign(new URL(databaseUrl), { username: replicaRole }).href;
}

/** Once for each server, which is that of this program. */
let isPrepared = false;

export type SeenStatement = { query: string; calls: number };

/** What the replicas ran on this database. BEGIN and COMMIT are statements too. */
export async function readStatements(db: Database): Promise<SeenStatement[]> {
  const { rows } = await sql<SeenStatement>`
    select query, sum(calls)::int as calls from pg_stat_statements
    where userid = ${replicaRole}::regrole and dbid = (
      select oid from pg_database where datname = current_database())
    group by query order by query`.execute(db);
  return rows;
}
