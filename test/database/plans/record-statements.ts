import { CompiledQuery, Kysely, type LogEvent, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { z } from 'zod';
import { type OpenDatabase, openDatabase } from '../../../src/database/open-database.ts';
import type { Database, Tables } from '../../../src/database/tables.ts';
import { createDatabase, postgresUrl } from '../../support/databases.ts';

export type RecordedDatabase = OpenDatabase & {
  /** The statements since the last call, each text once, with the values of its first execution. */
  takeStatements: () => CompiledQuery[];
};

/** A new database on PostgreSQL that records the statements run on it. */
export async function openRecorded(): Promise<RecordedDatabase> {
  const { url, drop } = await createDatabase(postgresUrl ?? '');
  const opened = await openDatabase(url);
  const statements = new Map<string, CompiledQuery>();
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  // As in Belay's own pool: the server ends the connections when the database is dropped.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => void client.on('error', () => undefined));
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log({ query }: LogEvent) {
      if (!statements.has(query.sql)) statements.set(query.sql, query);
    },
  });
  return {
    ...opened,
    db,
    takeStatements() {
      const taken = [...statements.values()];
      statements.clear();
      return taken;
    },
    async close() {
      await db.destroy();
      await opened.close();
      await drop();
    },
  };
}

type PlanNode = z.infer<typeof planNode>;
const planNode = z.looseObject({
  'Node Type': z.string(),
  'Relation Name': z.string().optional(),
  get Plans() {
    return z.array(planNode).optional();
  },
});
const explained = z.tuple([z.object({ 'QUERY PLAN': z.tuple([z.object({ Plan: planNode })]) })]);

/** The tables with more than `minRows` rows that the statement reads from end to end, each once. */
export async function findSequentialScans(
  db: Database,
  statement: CompiledQuery,
  { minRows }: { minRows: number },
): Promise<string[]> {
  // Others have no plan.
  if (!/^\s*(with|select|insert|update|delete)\b/i.test(statement.sql)) return [];
  const { rows } = await db.executeQuery(
    CompiledQuery.raw(`explain (format json) ${statement.sql}`, [...statement.parameters]),
  );
  const [
    {
      'QUERY PLAN': [{ Plan: plan }],
    },
  ] = explained.parse(rows);
  const scanned = nodesOf(plan)
    .filter((node) => node['Node Type'].endsWith('Seq Scan'))
    .flatMap((node) => node['Relation Name'] ?? []);
  const large = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples > ${minRows}`.execute(
    db,
  );
  const names = large.rows.map(({ name }) => name);
  return [...new Set(scanned)].filter((name) => names.includes(name));
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}
