import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PGlite, types } from '@electric-sql/pglite';
import { migrate } from '../../src/database/migrate.ts';
import { type OpenDatabase, onPGlite } from '../../src/database/open-database.ts';

const parsers = { [types.INT8]: Number };

/** Writes an empty, migrated database to a file: starting from it takes a tenth of making a new one. */
export async function writeTemplate(folder: string): Promise<string> {
  const pglite = await PGlite.create({ parsers });
  const db = onPGlite(pglite);
  await migrate(db);
  const dump = await pglite.dumpDataDir('none');
  await db.destroy();
  const path = join(folder, 'database-template.tar');
  await writeFile(path, Buffer.from(await dump.arrayBuffer()));
  return path;
}

/** Databases that their tests have done with, emptied: even a template takes half a second to open. */
const spare: PGlite[] = [];

/** A database in memory, empty, as `openDatabase('pglite:memory')` would give it. */
export async function openFromTemplate(path: string): Promise<OpenDatabase> {
  const pglite = spare.pop() ?? (await openTemplate(path));
  let isOpen = true;
  return {
    db: onPGlite(pglite),
    isEmbedded: true,
    async close() {
      if (!isOpen) return;
      isOpen = false;
      await empty(pglite);
      spare.push(pglite);
    },
  };
}

/**
 * Lays that database into a folder for `pglite:<folder>`. A first start, which writes every file
 * through to the disk, takes ten times as long, and only few tests are about it.
 */
export async function unpackTemplate(path: string, folder: string): Promise<void> {
  const target = join(folder, 'pg');
  await mkdir(target, { recursive: true });
  await promisify(execFile)('tar', ['-xf', path, '-C', target]);
}

async function openTemplate(path: string): Promise<PGlite> {
  const loadDataDir = new Blob([await readFile(path)]);
  const pglite = await PGlite.create({ parsers, loadDataDir });
  // Nothing is left to do, unless the template is of another code than this test.
  await migrate(onPGlite(pglite));
  return pglite;
}

const kept = ['schema_migration', 'version'];

/**
 * All rows of all tables, those included that triggers protect. Few rows are deleted, because a
 * truncated table gets new files, for its indexes too, which takes longer.
 */
async function empty(pglite: PGlite): Promise<void> {
  await pglite.exec(`
    set session_replication_role = replica;
    do $$
    declare
      one text;
      counted integer;
      filled text[];
    begin
      for one in
        select quote_ident(tablename) from pg_tables
        where schemaname = 'public' and tablename not in ('${kept.join("', '")}')
      loop
        execute 'select count(*) from (select from ' || one || ' limit 100) first' into counted;
        if counted = 100 then filled := filled || one;
        elsif counted > 0 then execute 'delete from ' || one;
        end if;
      end loop;
      if filled is not null then
        execute 'truncate ' || array_to_string(filled, ', ') || ' cascade';
      end if;
      for one in
        select quote_ident(sequencename) from pg_sequences
        where schemaname = 'public' and last_value is not null
      loop
        execute 'alter sequence ' || one || ' restart';
      end loop;
    end $$;
    set session_replication_role = default;`);
}
