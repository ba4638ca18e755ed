import { existsSync } from 'node:fs';
import { PGlite, types } from '@electric-sql/pglite';
import { Kysely, PGliteDialect, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { lockDirectory } from './embedded/directory-lock.ts';
import { DurableFileSystem, durableStartParams, syncTree } from './embedded/durable-file-system.ts';
import { migrations } from './migrations/index.ts';
import type { Tables } from './tables.ts';

export type Database = Kysely<Tables>;
export type OpenDatabase = {
  db: Database;
  /** The same database for the job queue, which opens its own connections or shares PGlite. */
  shared: { connectionString: string } | { pglite: PGlite };
  close: () => Promise<void>;
};

/**
 * Opens a database and migrates it: `postgres://…`, `pglite:<folder>` (embedded, one process) or
 * `pglite:memory` (gone when the process ends). PGlite has one connection: inside a transaction use
 * only the transaction, or it deadlocks.
 * @throws {Error} with one line for the operator.
 */
export async function openDatabase(url: string): Promise<OpenDatabase> {
  try {
    const { db, shared, release } = url.startsWith('postgres')
      ? openPostgres(url)
      : await openPGlite(url);
    const close = async () => {
      await db.destroy();
      release();
    };
    await migrate(db).catch(async (error: unknown) => {
      await close();
      throw error;
    });
    return { db, shared, close };
  } catch (error) {
    throw new Error(`DATABASE_URL: the database cannot be opened: ${reason(error)}`, {
      cause: error,
    });
  }
}

/** Runs the migrations that are missing; safe in several processes at once. */
export async function migrate(db: Database): Promise<void> {
  const provider = { getMigrations: async () => migrations };
  const { error } = await new Migrator({ db, provider }).migrateToLatest();
  if (error) throw error;
}

/** For a host name with several addresses Node throws an AggregateError without a message. */
function reason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reason).join(', ');
  return error instanceof Error ? error.message : String(error);
}

type Opened = Pick<OpenDatabase, 'db' | 'shared'> & { release: () => void };

function openPostgres(url: string): Opened {
  const pool = new pg.Pool({ connectionString: url, max: 10, connectionTimeoutMillis: 5000 });
  // The pool replaces an idle connection that breaks; an unhandled error event would end the process.
  pool.on('error', () => undefined);
  return {
    db: new Kysely({ dialect: new PostgresDialect({ pool }) }),
    shared: { connectionString: url },
    release: () => undefined,
  };
}

async function openPGlite(url: string): Promise<Opened> {
  const directory = url.slice('pglite:'.length);
  // bigint as a number, as for the pg driver below, so that both databases return the same types.
  const parsers = { [types.INT8]: Number };
  if (directory === 'memory') {
    const pglite = await PGlite.create({ parsers });
    return { ...onPGlite(pglite), release: () => undefined };
  }
  const release = lockDirectory(directory);
  try {
    const dataFolder = `${directory}/pg`;
    const isFirstStart = !existsSync(`${dataFolder}/PG_VERSION`);
    const fs = new DurableFileSystem(dataFolder);
    const pglite = await PGlite.create({ fs, parsers, startParams: durableStartParams });
    if (isFirstStart) syncTree(dataFolder);
    return { ...onPGlite(pglite), release };
  } catch (error) {
    release();
    throw error;
  }
}

export function onPGlite(pglite: PGlite): Pick<OpenDatabase, 'db' | 'shared'> {
  return { db: new Kysely({ dialect: new PGliteDialect({ pglite }) }), shared: { pglite } };
}

pg.types.setTypeParser(pg.types.builtins.INT8, Number);
