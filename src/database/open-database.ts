import type { PGlite } from '@electric-sql/pglite';
import { Kysely, PGliteDialect, sql } from 'kysely';
import { lockDirectory } from './embedded/directory-lock.ts';
import { migrate } from './migrate.ts';
import {
  defaultLimits,
  defaultPoolSize,
  migrationLimits,
  openPool,
  type PostgresConnection,
  type PostgresLimits,
  postgresConnection,
  queuePoolSize,
} from './postgres-pool.ts';
import type { Tables } from './tables.ts';
import { traceStatement } from './trace-statement.ts';

export type Database = Kysely<Tables>;
export type OpenDatabase = {
  db: Database;
  /** The same database for the job queue, which opens its own connections or shares PGlite. */
  shared: (PostgresConnection & { max: number }) | { pglite: PGlite };
  close: () => Promise<void>;
};

/** PGlite ignores these. */
export type PostgresOptions = {
  limits?: PostgresLimits;
  /** How many connections run Belay's statements. */
  poolSize?: number | undefined;
  /**
   * The same database without a connection pooler. Migrations exceed a pooler's time limits, and the
   * job queue uses LISTEN, which needs its own session.
   */
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
  const opened = await connectDatabase(options.directUrl ?? url);
  try {
    await migrate(opened.db);
  } catch (error) {
    await opened.close();
    throw cannotOpen(error);
  }
  if ('pglite' in opened.shared) return opened;
  const direct = await readIdentity(opened.db).finally(opened.close);
  const pooled = await connect(url, options);
  try {
    // Otherwise jobs would be enqueued in one database and looked for in the other.
    if (options.directUrl !== undefined && (await readIdentity(pooled.db)) !== direct) {
      throw new Error("DATABASE_DIRECT_URL and DATABASE_URL aren't the same database");
    }
    return pooled;
  } catch (error) {
    await pooled.close();
    throw cannotOpen(error);
  }
}

/** The database and its server. */
async function readIdentity(db: Database): Promise<string> {
  const { rows } = await sql<{ identity: string }>`
    select current_database() || ' ' || pg_postmaster_start_time() as identity`.execute(db);
  return rows[0]?.identity ?? '';
}

/**
 * Opens a database as it is. Statements may take as long as migrations do.
 * @throws {Error} with one line for the operator.
 */
export async function connectDatabase(url: string): Promise<OpenDatabase> {
  try {
    const opened = await connect(url, { limits: migrationLimits });
    await sql`select 1`.execute(opened.db).catch(async (error: unknown) => {
      await opened.close();
      throw error;
    });
    return opened;
  } catch (error) {
    throw cannotOpen(error);
  }
}

function cannotOpen(cause: unknown): Error {
  const remedy = isForbidden(cause)
    ? '. Run `npm run -s admin -- migrate` with the DATABASE_URL of the owner'
    : '';
  return new Error(`DATABASE_URL: can't open the database: ${reason(cause)}${remedy}`, {
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
  { limits = defaultLimits, poolSize = defaultPoolSize, directUrl = url }: PostgresOptions,
): Promise<OpenDatabase> {
  if (!url.startsWith('postgres')) return openPGlite(url);
  const db: Database = openPool(postgresConnection(url, limits), poolSize);
  const shared = { ...postgresConnection(directUrl, limits), max: queuePoolSize };
  return { db, shared, close: () => db.destroy() };
}

async function openPGlite(url: string): Promise<OpenDatabase> {
  const directory = url.slice('pglite:'.length);
  const release = directory === 'memory' ? () => undefined : lockDirectory(directory);
  try {
    // Loaded only here: a process on PostgreSQL doesn't need its memory.
    const { createPGlite } = await import('./embedded/create-pglite.ts');
    const { db, shared } = onPGlite(await createPGlite(directory));
    return { db, shared, close: () => db.destroy().finally(release) };
  } catch (error) {
    release();
    throw error;
  }
}

export function onPGlite(pglite: PGlite): Pick<OpenDatabase, 'db' | 'shared'> {
  const db = new Kysely<Tables>({ dialect: new PGliteDialect({ pglite }), log: traceStatement });
  return { db, shared: { pglite } };
}
