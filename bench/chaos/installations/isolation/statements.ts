import { exec } from 'node:child_process';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { restartCommand } from '../../../../scripts/postgres-url.ts';
import type { Database } from '../../../../src/database/open-database.ts';
import { runOn } from '../../../../test/support/databases.ts';
import { exceptions } from './statements-without-team.ts';

/** The database role of the replicas: it separates their statements from those of this program. */
const replicaRole = 'belay_replica';

/**
 * Makes the server keep the text of each statement, from all processes, with placeholders for values.
 * https://www.postgresql.org/docs/current/pgstatstatements.html
 * @returns the URL for the replicas
 */
export async function recordStatements(serverUrl: string, databaseUrl: string): Promise<string> {
  if (!restartCommand) {
    throw new Error('This program restarts PostgreSQL: run it without DATABASE_URL.');
  }
  await runOn(serverUrl, "alter system set shared_preload_libraries = 'pg_stat_statements'");
  await promisify(exec)(restartCommand);
  await runOn(serverUrl, `create role ${replicaRole} login superuser`);
  await runOn(databaseUrl, 'create extension pg_stat_statements');
  return Object.assign(new URL(databaseUrl), { username: replicaRole }).href;
}

type Seen = { query: string; calls: number };

type StatementReport = {
  /** Without a condition on the team, and not among the exceptions. */
  unbound: Seen[];
  /** How many different statements about tables with a team there were. */
  checked: number;
  /** How many of them each exception allowed. */
  allowed: Record<string, number>;
};

/** Reads what the replicas ran, and finds statements that no condition limits to one team. */
export async function reportStatements(db: Database): Promise<StatementReport> {
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'team_id'`.execute(db);
  const names = tables.rows.map(({ name }) => name).join('|');
  const about = new RegExp(`\\b(?:from|into|update|join)\\s+"?(?:${names})\\b`, 'i');
  const { rows } = await sql<Seen>`
    select query, sum(calls)::int as calls from pg_stat_statements
    where userid = ${replicaRole}::regrole and dbid = (
      select oid from pg_database where datname = current_database())
    group by query order by query`.execute(db);
  const relevant = rows
    .map(({ query, calls }) => ({ query: query.replaceAll(/\s+/g, ' ').trim(), calls }))
    .filter(({ query }) => about.test(query) && !changesSchema.test(query));
  const allowed: Record<string, number> = {};
  const unbound = relevant.filter(({ query }) => {
    if (byTeam.test(query) || insertsTeam.test(query)) return false;
    const [reason] = Object.entries(exceptions).find(([, one]) => one.test(query)) ?? [];
    if (reason) allowed[reason] = (allowed[reason] ?? 0) + 1;
    return reason === undefined;
  });
  return { unbound, checked: relevant.length, allowed };
}

const changesSchema = /^(?:create|alter|drop|lock) /i;
const byTeam = /"?team_id"?\s*=\s*(?:any\s*\()?\$\d/i;
const insertsTeam = /^insert into [^(]*\([^)]*"?team_id"?/i;
