import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAppendEntry } from '../src/audit-log/append.ts';
import { verifyAuditLog } from '../src/audit-log/verify.ts';
import type { Database } from '../src/database/open-database.ts';
import { createUninstallStore } from '../src/features/installations/index.ts';
import { createTokenCipher } from '../src/features/workspaces/index.ts';
import { createUninstallHandlers } from '../src/team-purges.ts';
import { noon } from './features/approvals/store/rows.ts';
import { databases } from './support/databases.ts';

const keys = [Buffer.alloc(32, 7)];
const append = createAppendEntry(keys);
const canaryOf = (teamId: string) => `a person of ${teamId}`;

/** What stays when a workspace uninstalls Belay, and why. */
const kept: Record<string, string> = {
  audit_log: 'the chain proves what was done; it holds no personal text',
  organization_workspace: "its organization's installation, if there is one, still serves it",
  audit_log_head: 'the end of that chain, which continues if Belay is installed again',
};

async function listTeamTables(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'team_id' order by table_name`.execute(db);
  return rows.map(({ name }) => name);
}

type Column = { name: string; type: string; refers: string | null };

async function listColumns(db: Database, table: string): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select a.attname as name, format_type(a.atttypid, null) as type, (
      select confrelid::regclass::text from pg_constraint
      where contype = 'f' and conrelid = a.attrelid and a.attnum = conkey[1]
    ) as refers
    from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid = ${table}::regclass and a.attnum > 0 and not a.attisdropped
      and a.attidentity = '' and (d.oid is null or format_type(a.atttypid, null) = 'text')`.execute(
    db,
  );
  return rows;
}

const known: Record<string, string> = {
  ...{ state: 'pending', requester: 'U_ANA', action: 'users.disable', subject_id: 'u-1' },
  ...{ step: 'disable', source: 'person', kind: 'severity', when_empty: 'silence' },
  enterprise_id: 'E1',
  ...{ notified_as: 'own', 'delivery_message.state': 'waiting', 'delivery_summary.state': 'open' },
};
const nulls = ['delivery_message.reply_to', 'connection.replaced_at', 'setup_change.saved_at'];

function sampleOf(
  canary: string,
  table: string,
  { name, type }: Column,
): string | number | boolean | null {
  const value = known[`${table}.${name}`] ?? known[name];
  if (value !== undefined) return value;
  if (type === 'uuid') return randomUUID();
  if (type.startsWith('timestamp')) return noon.toISOString();
  if (type.startsWith('json')) return JSON.stringify([canary]);
  if (type === 'boolean') return false;
  return type === 'text' ? canary : 1;
}

/** A row of the team in every table, with the canary in every text. */
async function fillTables(db: Database, teamId: string): Promise<void> {
  const canary = canaryOf(teamId);
  const first = ['connection', 'digest', 'watch', 'approval'];
  const tables = (await listTeamTables(db)).filter((table) => !/^audit_log|_log_/.test(table));
  const ids = new Map<string, string>();
  const ordered = [...first, ...tables.filter((table) => !first.includes(table)), 'watched_alert'];
  for (const table of ordered) {
    const columns = await listColumns(db, table);
    const row = columns.map((column) => {
      if (column.name === 'team_id') return teamId;
      if (nulls.includes(`${table}.${column.name}`)) return null;
      return column.refers ? (ids.get(column.refers) ?? null) : sampleOf(canary, table, column);
    });
    const id = columns.findIndex(({ name }) => name === 'id');
    if (id >= 0) ids.set(table, String(row[id]));
    await sql`insert into ${sql.table(table)}
      (${sql.join(columns.map(({ name }) => sql.ref(name)))})
      values (${sql.join(row)})`.execute(db);
  }
  await db
    .updateTable('installation')
    .set({ state: 'active', version: 1 })
    .where('team_id', '=', teamId)
    .execute();
  await db.transaction().execute((trx) => {
    const personal = { reason: canary };
    return append(trx, { teamId, at: noon, event: 'approved', actor: 'U_BEN', personal });
  });
}

async function countRows(db: Database, teamId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of await listTeamTables(db)) {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count
      from ${sql.table(table)} where team_id = ${teamId}`.execute(db);
    counts[table] = rows[0]?.count ?? 0;
  }
  return counts;
}

/** All tables, the job queue's included, as text. */
async function dump(db: Database): Promise<string> {
  const { rows } = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE'`.execute(db);
  const parts: string[] = [];
  for (const { schema, name } of rows) {
    const { rows: all } = await sql<{ row: string }>`
      select t::text as row from ${sql.table(`${schema}.${name}`)} t`.execute(db);
    parts.push(...all.map(({ row }) => `${name} ${row}`));
  }
  return parts.join('\n');
}

const openStore = (db: Database) =>
  createUninstallStore(db, {
    cipher: createTokenCipher(keys),
    handlers: createUninstallHandlers(append),
  });
const claim = () => ({ at: noon, until: noon });

describe.each(databases())('an uninstall on $name', ({ open }) => {
  it('deletes every row of the workspace but for the chain of the audit log, which verifies', async () => {
    const { db, close } = await open();
    onTestFinished(close);
    await fillTables(db, 'T_GONE');
    await fillTables(db, 'T_STAYS');
    const ofOther = await countRows(db, 'T_STAYS');
    const before = await countRows(db, 'T_GONE');
    // A new table needs a row here, and a purge or a reason to be kept.
    expect(Object.entries(before).filter(([, count]) => count === 0)).toEqual([]);
    expect(await dump(db)).toContain(canaryOf('T_GONE'));

    const store = openStore(db);
    const installed = await store.find('T_GONE');
    if (!installed) throw new Error('not installed');
    expect(await store.end(installed, noon)).toBe(true);
    expect(await store.purge(installed, claim)).toBe('more');
    expect(await store.purge(installed, claim)).toBe('done');
    await store.remove(installed);

    const left = await countRows(db, 'T_GONE');
    const names = Object.entries(left).flatMap(([table, count]) => (count > 0 ? [table] : []));
    expect(names).toEqual(Object.keys(kept).sort());
    expect(await dump(db)).not.toContain(canaryOf('T_GONE'));
    expect(await dump(db)).toContain(canaryOf('T_STAYS'));
    expect(await countRows(db, 'T_STAYS')).toEqual(ofOther);
    const [report] = await verifyAuditLog(db, keys, []);
    expect(report).toMatchObject({ firstBreak: undefined, erasedTexts: 1 });
    const log = await db
      .selectFrom('audit_log')
      .select('event')
      .where('team_id', '=', 'T_GONE')
      .orderBy('seq')
      .execute();
    expect(log.map(({ event }) => event)).toEqual(['approved', 'voided', 'uninstalled', 'erased']);
  });
});
