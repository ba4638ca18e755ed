import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { AppendEntry } from '../../src/audit-log/append.ts';
import type { Database } from '../../src/database/tables.ts';
import { noon } from '../requests/store/rows.ts';

/** In every text of the team. */
export const canaryOf = (teamId: string) => `a person of ${teamId}`;

export async function listTeamTables(db: Database): Promise<string[]> {
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
  state: 'pending',
  requester: 'U_ANA',
  action: 'users.disable',
  subject_id: 'u-1',
  step: 'disable',
  source: 'person',
  kind: 'severity',
  'request_copy.kind': 'follower',
  when_empty: 'silence',
  enterprise_id: 'E1',
  notified_as: 'message',
  'delivery_message.state': 'queued',
  'delivery_summary.state': 'open',
  'restore_drill_run.state': 'failed',
  'alert_clearing_item.result': 'cleared',
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

/** A row of the team in every table, from noon, with the canary in every text. */
export async function fillTeam(db: Database, teamId: string, append: AppendEntry): Promise<void> {
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

/** Of every table with a team. */
export async function countRows(db: Database, teamId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of await listTeamTables(db)) {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count
      from ${sql.table(table)} where team_id = ${teamId}`.execute(db);
    counts[table] = rows[0]?.count ?? 0;
  }
  return counts;
}
