import { sql } from 'kysely';
import type { Database } from '../../../../src/database/open-database.ts';
import type { TestBed } from '../../../replicas/test-bed.ts';

/** Every value of every table, the job queue's included, as text. */
async function dump(db: Database): Promise<string[]> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE'`.execute(db);
  const lines: string[] = [];
  for (const { schema, name } of tables) {
    const { rows } = await sql<{ row: string }>`
      select t::text as row from ${sql.table(`${schema}.${name}`)} t`.execute(db);
    lines.push(...rows.map(({ row }) => `${name} ${row}`));
  }
  return lines;
}

/** The texts that nothing may be left of: the token, names, addresses and reasons. */
export function plantedTexts({ service, portal, workspace }: TestBed): string[] {
  return [
    ...[portal.token, 'xoxb-', 'xoxe-', 'Left the company on Friday', 'Renamed '],
    ...service.users(portal.id).flatMap(({ email, full_name }) => [email, full_name]),
    ...workspace.people.flatMap(({ email, realName }) => [email, realName]),
  ].filter((text) => text.length > 4);
}

/** Rows that hold one of the texts, or sealed values other than the audit log's keys. */
export async function findLeft(db: Database, texts: string[]): Promise<string[]> {
  const lines = await dump(db);
  const found = lines.flatMap((line) => {
    const text = texts.find((one) => line.includes(one));
    return text ? [`"${text}" is left in ${line.slice(0, 200)}`] : [];
  });
  const tables = lines.map((line) => line.slice(0, line.indexOf(' ')));
  const counts = Map.groupBy(tables, (table) => table);
  const kept = /^(audit_|checkpoint_status|kysely_|replica$)/;
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'`.execute(
    db,
  );
  const own = new Set(rows.map(({ name }) => name));
  const rest = [...counts].filter(([table]) => own.has(table) && !kept.test(table));
  return [...found, ...rest.map(([table, { length }]) => `${length} rows are left in ${table}`)];
}

const ended = new Set([
  ...['succeeded', 'kept', 'failed', 'outcome_unknown', 'denied', 'expired', 'withdrawn'],
  ...['voided', 'not_posted', 'refused'],
]);

/** Requests whose last entry doesn't say how they ended. */
export async function findUnended(db: Database): Promise<string[]> {
  const { rows } = await sql<{ approval_id: string; event: string }>`
    select distinct on (approval_id) approval_id, event from audit_log
    where approval_id is not null order by approval_id, seq desc`.execute(db);
  return rows
    .filter(({ event }) => !ended.has(event))
    .map(({ approval_id: id, event }) => `the log ends with ${event} for ${id}`);
}
