import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite, types } from '@electric-sql/pglite';
import { openJobQueue } from '../../src/jobs/job-queue.ts';
import { createLogger } from '../../src/logger.ts';
import { migrate, type OpenDatabase, onPGlite } from '../../src/storage/open-database.ts';

const parsers = { [types.INT8]: Number };

/** Writes an empty, migrated database to a file: starting from it takes a tenth of making a new one. */
export async function writeTemplate(folder: string): Promise<string> {
  const pglite = await PGlite.create({ parsers });
  const { db, shared } = onPGlite(pglite);
  await migrate(db);
  const jobs = await openJobQueue(shared, { log: createLogger('fatal') });
  await jobs.stop();
  const dump = await pglite.dumpDataDir('none');
  await db.destroy();
  const path = join(folder, 'database-template.tar');
  await writeFile(path, Buffer.from(await dump.arrayBuffer()));
  return path;
}

/** A database in memory as `openDatabase('pglite:memory')` would give it. */
export async function openFromTemplate(path: string): Promise<OpenDatabase> {
  const loadDataDir = new Blob([await readFile(path)]);
  const pglite = await PGlite.create({ parsers, loadDataDir });
  const { db, shared } = onPGlite(pglite);
  // Nothing is left to do, unless the template is of another code than this test.
  await migrate(db);
  return { db, shared, close: () => db.destroy() };
}
