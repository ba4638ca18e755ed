import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { sql, type Transaction } from 'kysely';
import { listMigrations } from '../migrate.ts';
import type { Database, Tables } from '../tables.ts';
import { listTables, type TableShape } from './catalog.ts';
import { createChecksum, type Summary } from './file-format.ts';
import { fixTextForms, readRowLines } from './row-lines.ts';

/**
 * Writes everything that Belay stores to a new file, as one snapshot and in constant memory. Nothing
 * is migrated before. Only the owner may read the file: it holds what the database holds.
 * @throws with one line for the operator; then there is no file.
 */
export async function exportDatabase(
  db: Database,
  { path, at }: { path: string; at: Date },
): Promise<Summary['tables']> {
  const summary: Summary = { tables: {}, identities: [] };
  await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const migrations = await listMigrations(trx);
      if (migrations.length === 0) {
        throw new Error('The database is empty: there is nothing to export.');
      }
      await fixTextForms(trx);
      await writeNewFile(path, writeLines(trx, { at, migrations, summary }));
    });
  return summary.tables;
}

async function* writeLines(
  trx: Transaction<Tables>,
  { at, migrations, summary }: { at: Date; migrations: string[]; summary: Summary },
): AsyncGenerator<string> {
  const exportedAt = at.toISOString();
  yield `${JSON.stringify({ format: 'belay-export', version: 1, exportedAt, migrations })}\n`;
  for (const table of await listTables(trx)) {
    const columns = table.columns.map(({ name }) => name);
    yield `${JSON.stringify({ table: table.name, columns })}\n`;
    const checksum = createChecksum();
    for await (const line of readRowLines(trx, table)) {
      checksum.add(line);
      yield `${line}\n`;
    }
    summary.tables[table.name] = checksum.result();
    summary.identities.push(...(await readIdentities(trx, table)));
  }
  yield `${JSON.stringify(summary)}\n`;
}

/** Not the highest number in the table: the row that had the last one may be deleted. */
async function readIdentities(
  trx: Transaction<Tables>,
  { name, columns }: TableShape,
): Promise<Summary['identities']> {
  const identities: Summary['identities'] = [];
  for (const column of columns.filter(({ isIdentity }) => isIdentity)) {
    const { rows } = await sql<{ value: number | null }>`
      select pg_sequence_last_value(pg_get_serial_sequence(${name}, ${column.name})::regclass)
        as value`.execute(trx);
    const lastValue = rows[0]?.value ?? null;
    identities.push({ table: name, column: column.name, lastValue });
  }
  return identities;
}

async function writeNewFile(path: string, lines: AsyncIterable<string>): Promise<void> {
  // `flush`: what was written is on the disk before the database may be deleted.
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  try {
    await pipeline(Readable.from(lines), file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EEXIST') throw new Error(`${path} already exists: name a new file.`);
    await rm(path, { force: true });
    throw error;
  }
}
