import { sql } from 'kysely';
import type { Database } from '../../../../src/database/tables.ts';
import { readStatements, type SeenStatement } from '../../../replicas/record-statements.ts';
import { exceptions } from './statements-without-team.ts';

type StatementReport = {
  /** Without a condition on the team, and not among the exceptions. */
  unbound: SeenStatement[];
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
  const relevant = (await readStatements(db))
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
