import { isDeepStrictEqual } from 'node:util';
import { sql, type Transaction } from 'kysely';
import type { Migration } from 'kysely/migration';
import { parseJson } from '../../json.ts';
import { migrate, runMigrations } from '../migrate.ts';
import { contractMigrations } from '../migrations/contract.ts';
import { migrations } from '../migrations/index.ts';
import type { Database, Tables } from '../tables.ts';
import { listTables, type TableShape } from './catalog.ts';
import { createChecksum, header, parseLine, readLines, type Summary } from './file-format.ts';
import { fixTextForms, insertRowLines, readRowLines } from './row-lines.ts';

const batchSize = 200;

/**
 * Fills a new database from an export: makes the schema that the file was written with, inserts the
 * rows, compares every table with the file's checksum, then migrates to the present schema. All in one
 * transaction, but for contract migrations.
 * @throws with one line for the operator; then nothing was changed.
 */
export async function importDatabase(db: Database, path: string): Promise<Summary['tables']> {
  const tables = await fillDatabase(db, path);
  await migrate(db);
  return tables;
}

async function fillDatabase(db: Database, path: string): Promise<Summary['tables']> {
  const lines = readLines(path);
  try {
    return await db.transaction().execute(async (trx) => {
      await requireEmpty(trx);
      await fixTextForms(trx);
      await runMigrations(trx, await readMigrations(lines));
      const summary = await insertTables(trx, await listTables(trx), lines);
      await setIdentities(trx, summary);
      await runMigrations(trx, migrations);
      return summary.tables;
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new Error(`${path} can't be imported: ${reason}. Nothing was changed.`, { cause: error });
  } finally {
    await lines.return(undefined);
  }
}

async function requireEmpty(trx: Transaction<Tables>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname = current_schema() limit 1`.execute(trx);
  const [found] = rows;
  if (found) throw new Error(`the database in DATABASE_URL is not empty: it has ${found.name}`);
}

/** The migrations of the file, if this version knows them and all that come before the last of them. */
async function readMigrations(lines: AsyncGenerator<string>): Promise<Record<string, Migration>> {
  const first = await lines.next();
  const parsed = header.safeParse(parseJson(first.value));
  if (!parsed.success) throw new Error('it is not an export of Belay');
  const names = parsed.data.migrations;
  const last = names.at(-1) ?? '';
  const known: Record<string, Migration> = { ...migrations, ...contractMigrations };
  const expected = Object.keys(known).filter(
    // A contract migration may not have run yet.
    (name) => names.includes(name) || (name in migrations && name <= last),
  );
  if (!isDeepStrictEqual(names, expected.sort())) {
    throw new Error(
      `its schema (${last}) is not one of this version of Belay: use the version that wrote it, or a newer one`,
    );
  }
  return Object.fromEntries(Object.entries(known).filter(([name]) => names.includes(name)));
}

/** Inserts all rows of the file and compares them with its summary, the last line. */
async function insertTables(
  trx: Transaction<Tables>,
  tables: TableShape[],
  lines: AsyncIterable<string>,
): Promise<Summary> {
  let insert = async (_batch: string[]): Promise<void> => {
    throw new Error('a row comes before its table');
  };
  const filled: TableShape[] = [];
  let batch: string[] = [];
  const flush = async () => {
    if (batch.length > 0) await insert(batch);
    batch = [];
  };
  let summary: Summary | undefined;
  let number = 1;
  for await (const line of lines) {
    number += 1;
    const content = parseLine(line);
    if (!content || summary) throw new Error(`line ${number} is damaged`);
    if (Array.isArray(content)) {
      batch.push(line);
      if (batch.length === batchSize) await flush();
      continue;
    }
    await flush();
    if ('columns' in content) {
      const table = tables.find(({ name }) => name === content.table);
      if (!table) throw new Error(`the table ${content.table} is not one of Belay's`);
      const shape = { ...table, columns: chooseColumns(table, content.columns) };
      filled.push(shape);
      insert = (rows) => insertRowLines(trx, shape, rows);
    } else {
      summary = content;
    }
  }
  if (!summary) throw new Error('it is cut off');
  if (filled.length !== tables.length) throw new Error('a table is missing');
  await compare(trx, filled, summary);
  return summary;
}

/** The table's columns in the order of the file. */
function chooseColumns({ name, columns }: TableShape, names: string[]): TableShape['columns'] {
  const chosen = names.flatMap((one) => columns.find((column) => column.name === one) ?? []);
  if (chosen.length !== columns.length || new Set(names).size !== columns.length) {
    throw new Error(`the columns of ${name} differ`);
  }
  return chosen;
}

/** Reads everything back: damage in the file and values that changed on the way show here. */
async function compare(
  trx: Transaction<Tables>,
  tables: TableShape[],
  summary: Summary,
): Promise<void> {
  for (const table of tables) {
    const checksum = createChecksum();
    for await (const line of readRowLines(trx, table)) checksum.add(line);
    if (!isDeepStrictEqual(checksum.result(), summary.tables[table.name])) {
      throw new Error(`the rows of ${table.name} are damaged or incomplete`);
    }
  }
}

async function setIdentities(trx: Transaction<Tables>, { identities }: Summary): Promise<void> {
  for (const { table, column, lastValue } of identities) {
    if (lastValue === null) continue;
    await sql`select setval(pg_get_serial_sequence(${table}, ${column}), ${lastValue})`.execute(
      trx,
    );
  }
}
