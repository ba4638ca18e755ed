import { sql } from 'kysely';
import type { Database } from '../../../../src/database/tables.ts';
import type { TestBed } from '../../../replicas/test-bed.ts';
import { countBy } from '../../../statistics.ts';

/** Every row of every table as text. */
async function dump(db: Database): Promise<{ table: string; text: string }[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(db);
  const dumped = [];
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`
      select t::text as row from ${sql.table(name)} t`.execute(db);
    dumped.push(...rows.map(({ row }) => ({ table: name, text: row })));
  }
  return dumped;
}

/** Texts that no row may contain after an uninstall: tokens, names, addresses and reasons. */
export function plantedTexts({ service, portal, workspace }: TestBed): string[] {
  return [
    ...[portal.token, 'xoxb-', 'xoxe-', 'Left the company on Friday', 'Renamed '],
    ...service.users(portal.id).flatMap(({ email, full_name }) => [email, full_name]),
    ...workspace.people.flatMap(({ email, realName }) => [email, realName]),
  ].filter((text) => text.length > 4);
}

/**
 * Tables that outlive a workspace: the audit log, and those about the schema and the processes, whose
 * rows belong to none.
 */
const allowed = /^(audit_|checkpoint_status$|replica$|schema_compatibility$|schema_migration$)/;

/** Rows that contain one of the texts, and tables of Belay with other rows than those allowed. */
export async function findLeft(db: Database, texts: string[]): Promise<string[]> {
  const rows = await dump(db);
  const found = rows.flatMap(({ table, text }) => {
    const planted = texts.find((one) => text.includes(one));
    return planted ? [`"${planted}" is left in ${table} ${text.slice(0, 200)}`] : [];
  });
  const rest = rows.filter(({ table }) => !allowed.test(table));
  const counts = Object.entries(countBy(rest, ({ table }) => table));
  return [...found, ...counts.map(([table, count]) => `${count} rows are left in ${table}`)];
}

const ended = new Set([
  ...['completed', 'canceled', 'failed', 'outcome_unknown', 'denied', 'expired', 'withdrawn'],
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
