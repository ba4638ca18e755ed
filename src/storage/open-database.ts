import { PGlite, types } from '@electric-sql/pglite';
import { Kysely, PGliteDialect, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { lockDirectory } from './directory-lock.ts';
import { DurableFileSystem, durableStartParams } from './durable-file-system.ts';
import { migrations } from './migrations.ts';
import type { Tables } from './tables.ts';

export type Database = Kysely<Tables>;
export type OpenDatabase = { db: Database; close: () => Promise<void> };

/**
 * Opens the store that `url` names and brings its tables up to date: `postgres://…`,
 * `pglite:<folder>` (embedded, one process) or `pglite:memory` (gone when the process ends).
 * PGlite has one connection: inside a transaction only the transaction may be used, or it hangs.
 * @throws {DirectoryInUseError} when another process holds the folder.
 */
export async function openDatabase(url: string): Promise<OpenDatabase> {
  const { db, release } = url.startsWith('postgres') ? openPostgres(url) : await openPGlite(url);
  const close = async () => {
    await db.destroy();
    release();
  };
  try {
    const provider = { getMigrations: async () => migrations };
    const { error } = await new Migrator({ db, provider }).migrateToLatest();
    if (error) throw error;
  } catch (error) {
    await close();
    const why = error instanceof AggregateError ? error.errors.join(', ') : String(error);
    throw new Error(`DATABASE_URL: the database cannot be opened: ${why}`, { cause: error });
  }
  return { db, close };
}

type Opened = { db: Database; release: () => void };

function openPostgres(url: string): Opened {
  const pool = new pg.Pool({ connectionString: url, max: 10, connectionTimeoutMillis: 5000 });
  // An idle connection that breaks is replaced by the pool; unheard, its error would end the process.
  pool.on('error', () => undefined);
  return { db: new Kysely({ dialect: new PostgresDialect({ pool }) }), release: () => undefined };
}

async function openPGlite(url: string): Promise<Opened> {
  const directory = url.slice('pglite:'.length);
  // bigint as a number, as the pg driver is told below, so that both stores read alike.
  const parsers = { [types.INT8]: Number };
  if (directory === 'memory') {
    const pglite = await PGlite.create({ parsers });
    return { db: new Kysely({ dialect: new PGliteDialect({ pglite }) }), release: () => undefined };
  }
  const release = lockDirectory(directory);
  try {
    const fs = new DurableFileSystem(`${directory}/pg`);
    const pglite = await PGlite.create({ fs, parsers, startParams: durableStartParams });
    return { db: new Kysely({ dialect: new PGliteDialect({ pglite }) }), release };
  } catch (error) {
    release();
    throw error;
  }
}

pg.types.setTypeParser(pg.types.builtins.INT8, Number);
