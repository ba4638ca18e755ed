import type { PGlite } from '@electric-sql/pglite';
import { Kysely, PGliteDialect, sql } from 'kysely';
import { rejectEarlierDatabase } from './compatibility.ts';
import { lockDirectory } from './embedded/directory-lock.ts';
import { migrate } from './migrate.ts';
import {
  defaultLimits,
  defaultPoolSize,
  migrationLimits,
  openPool,
  type PostgresLimits,
  postgresConnection,
} from './postgres-pool.ts';
import type { Database, Tables } from './tables.ts';
import { traceStatement } from './trace-statement.ts';

export type OpenDatabase = {
  db: Database;
  isEmbedded: boolean;
  close: () => Promise<void>;
};

/** PGlite ignores these. */
type PostgresOptions = {
  limits?: PostgresLimits;
  /** How many connections run Belay's statements. */
  poolSize?: number | undefined;
  /** The same database without a connection pooler: migrations exceed a pooler's time limits. */
  directUrl?: string | undefined;
};

/**
 * Opens a database and migrates it: `postgres://…`, `pglite:<folder>` (embedded, one process) or
 * `pglite:memory` (gone when the process ends). PGlite has one connection: inside a transaction use
 * only the transaction, or it deadlocks.
 * @throws {Error} with one line for the operator.
 */
export async function openDatabase(
  url: string,
  options: PostgresOptions = {},
): Promise<OpenDatabase> {
  const { directUrl } = options;
  if (directUrl !== undefined) await requireSameDatabase(url, directUrl);
  const variable = directUrl === undefined ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL';
  const opened = await connectDatabase(directUrl ?? url, variable);
  try {
    await migrate(opened.db);
  } catch (error) {
    await opened.close();
    throw cannotOpen(error, variable);
  }
  if (opened.isEmbedded) return opened;
  await opened.close();
  return connect(url, options);
}

/**
 * Before anything is migrated: otherwise a wrong address would change another installation's database.
 */
async function requireSameDatabase(url: string, directUrl: string): Promise<void> {
  if (!url.startsWith('postgres')) {
    throw new Error('DATABASE_DIRECT_URL: remove it, because DATABASE_URL is not PostgreSQL');
  }
  const pooled = await readIdentity(url, 'DATABASE_URL');
  const direct = await readIdentity(directUrl, 'DATABASE_DIRECT_URL');
  if (pooled !== direct) {
    throw new Error("DATABASE_DIRECT_URL and DATABASE_URL aren't the same database");
  }
}

/** The database and its server. */
async function readIdentity(url: string, variable: string): Promise<string | undefined> {
  const { db, close } = await connectDatabase(url, variable);
  try {
    const { rows } = await sql<{ identity: string }>`
      select concat(current_database(), ' ', extract(epoch from pg_postmaster_start_time()))
        as identity`.execute(db);
    return rows[0]?.identity;
  } catch (error) {
    throw cannotOpen(error, variable);
  } finally {
    await close();
  }
}

/**
 * Opens a database as it is, unless an earlier version than the baseline made it. Statements may take as
 * long as migrations do. `variable`: where its address comes from.
 * @throws {Error} with one line for the operator.
 */
export async function connectDatabase(
  url: string,
  variable = 'DATABASE_URL',
): Promise<OpenDatabase> {
  try {
    const opened = await connect(url, { limits: migrationLimits });
    await rejectEarlierDatabase(opened.db).catch(async (error: unknown) => {
      await opened.close();
      throw error;
    });
    return opened;
  } catch (error) {
    throw cannotOpen(error, variable);
  }
}

function cannotOpen(cause: unknown, variable: string): Error {
  const remedy = isForbidden(cause)
    ? '. Run `npm run -s admin -- migrate` with the DATABASE_URL of the owner'
    : '';
  return new Error(`${variable}: can't open the database: ${reason(cause)}${remedy}`, {
    cause,
  });
}

/** The role has too few privileges (SQLSTATE 42501): there is something to migrate, or no grants. */
function isForbidden(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '42501';
}

/** For a host name with several addresses Node throws an AggregateError without a message. */
function reason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reason).join(', ');
  return error instanceof Error ? error.message : String(error);
}

async function connect(
  url: string,
  { limits = defaultLimits, poolSize = defaultPoolSize }: PostgresOptions,
): Promise<OpenDatabase> {
  if (!url.startsWith('postgres')) return openPGlite(url);
  const db: Database = openPool(postgresConnection(url, limits), poolSize);
  return { db, isEmbedded: false, close: () => db.destroy() };
}

async function openPGlite(url: string): Promise<OpenDatabase> {
  const directory = url.slice('pglite:'.length);
  const release = directory === 'memory' ? () => undefined : lockDirectory(directory);
  try {
    // Loaded only here: a process on PostgreSQL doesn't need its memory.
    const { createPGlite } = await import('./embedded/create-pglite.ts');
    const db = onPGlite(await createPGlite(directory));
    return { db, isEmbedded: true, close: () => db.destroy().finally(release) };
  } catch (error) {
    release();
    throw error;
  }
}

export function onPGlite(pglite: PGlite): Database {
  return new Kysely<Tables>({ dialect: new PGliteDialect({ pglite }), log: traceStatement });
}
