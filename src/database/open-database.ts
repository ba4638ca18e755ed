import { existsSync } from 'node:fs';
import { PGlite, types } from '@electric-sql/pglite';
import { Kysely, PGliteDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import { lockDirectory } from './embedded/directory-lock.ts';
import { DurableFileSystem, durableStartParams, syncTree } from './embedded/durable-file-system.ts';
import { migrations } from './migrations/index.ts';
import {
  defaultLimits,
  migrationLimits,
  openPool,
  type PostgresConnection,
  postgresConnection,
} from './postgres-pool.ts';
import type { Tables } from './tables.ts';

export type Database = Kysely<Tables>;
export type OpenDatabase = {
  db: Database;
  /** The same database for the job queue, which opens its own connections or shares PGlite. */
  shared: PostgresConnection | { pglite: PGlite };
  close: () => Promise<void>;
};

/**
 * Opens a database and migrates it: `postgres://…`, `pglite:<folder>` (embedded, one process) or
 * `pglite:memory` (gone when the process ends). PGlite has one connection: inside a transaction use
 * only the transaction, or it deadlocks.
 * @throws {Error} with one line for the operator.
 */
export async function openDatabase(url: string, limits = defaultLimits): Promise<OpenDatabase> {
  try {
    return url.startsWith('postgres') ? await openPostgres(url, limits) : await openPGlite(url);
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

async function openPostgres(url: string, limits: typeof defaultLimits): Promise<OpenDatabase> {
  const migrating: Database = openPool(postgresConnection(url, migrationLimits));
  await migrate(migrating).finally(() => migrating.destroy());
  const shared = postgresConnection(url, limits);
  const db: Database = openPool(shared);
  return { db, shared, close: () => db.destroy() };
}

async function openPGlite(url: string): Promise<OpenDatabase> {
  const directory = url.slice('pglite:'.length);
  const release = directory === 'memory' ? () => undefined : lockDirectory(directory);
  try {
    const { db, shared } = onPGlite(await createPGlite(directory));
    await migrate(db).catch(async (error: unknown) => {
      await db.destroy();
      throw error;
    });
    return { db, shared, close: () => db.destroy().finally(release) };
  } catch (error) {
    release();
    throw error;
  }
}

async function createPGlite(directory: string): Promise<PGlite> {
  // bigint as a number, as for the pg driver, so that both databases return the same types.
  const parsers = { [types.INT8]: Number };
  if (directory === 'memory') return PGlite.create({ parsers });
  const dataFolder = `${directory}/pg`;
  const isFirstStart = !existsSync(`${dataFolder}/PG_VERSION`);
  const fs = new DurableFileSystem(dataFolder);
  const pglite = await PGlite.create({ fs, parsers, startParams: durableStartParams });
  if (isFirstStart) syncTree(dataFolder);
  return pglite;
}

export function onPGlite(pglite: PGlite): Pick<OpenDatabase, 'db' | 'shared'> {
  return { db: new Kysely({ dialect: new PGliteDialect({ pglite }) }), shared: { pglite } };
}
