import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Migration } from 'kysely/migration';
import {
  isOlder,
  newerOf,
  type Release,
  readOldestVersion,
  rejectOlderVersions,
  requireCompatible,
  thisRelease,
} from './compatibility.ts';
import type { Tables } from './tables.ts';

/** Any number that nothing else on this database locks. */
const migrationLock = sql.raw('3853314791062309107');

/** How long a statement waits for a table in use: other statements queue behind it. */
const lockTimeoutMs = 3000;
const retryMs = 1000;
const maxTries = 100;

/**
 * Brings the schema up to date while processes of this version and of the previous one may be running:
 * runs the migrations that are missing, and the contract migrations of earlier versions or, with
 * `contract`, all of them. Safe in several processes at once.
 * @throws {Error} if this version is too old for the schema, or too new for the processes that run.
 */
export async function migrate(
  db: Kysely<Tables>,
  { contract = false, release = thisRelease }: { contract?: boolean; release?: Release } = {},
): Promise<void> {
  const oldest = Object.values(contract ? release.contract : {})
    .map((migration) => migration.oldest)
    .reduce(newerOf, release.oldestCompatible);
  const due = Object.entries(release.contract).filter(
    ([, migration]) => !isOlder(oldest, migration.oldest),
  );
  await requireCompatible(db, release);
  const isKnown = (await readOldestVersion(db)) !== undefined;
  if (isKnown) await rejectOlderVersions(db, oldest);
  await runMigrations(db, release.expand);
  if (!isKnown) await rejectOlderVersions(db, oldest);
  await runMigrations(db, Object.fromEntries(due));
}

/** Runs those of the migrations that are missing, in order, all or none. */
export async function runMigrations(
  db: Kysely<Tables>,
  migrations: Record<string, Migration>,
): Promise<void> {
  const run = async (trx: Kysely<Tables>) => {
    for (const name of await missingOf(trx, migrations)) {
      await migrations[name]?.up(trx);
      await sql`insert into schema_migration values (${name})`.execute(trx);
    }
  };
  if (db.isTransaction) {
    await createTable(db);
    return run(db);
  }
  for (let tries = 1; (await missingOf(db, migrations)).length > 0; tries += 1) {
    try {
      await db.transaction().execute(async (trx) => {
        await sql`select pg_advisory_xact_lock(${migrationLock})`.execute(trx);
        await sql`select set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`.execute(trx);
        await createTable(trx);
        await run(trx);
      });
    } catch (error) {
      if (!isLockConflict(error) || tries === maxTries) throw error;
      await wait(retryMs);
    }
  }
}

async function missingOf(
  db: Kysely<Tables>,
  migrations: Record<string, Migration>,
): Promise<string[]> {
  const applied = await listMigrations(db);
  return Object.keys(migrations).filter((name) => !applied.includes(name));
}

async function createTable(db: Kysely<Tables>): Promise<void> {
  await sql`
    create table if not exists schema_migration (
      name text primary key, run_at timestamptz not null default now())`.execute(db);
}

/** SQLSTATE 55P03, lock_not_available, or 40P01, deadlock_detected: processes that run hold the locks. */
function isLockConflict(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && (error.code === '55P03' || error.code === '40P01')
  );
}

/** The names of the migrations that were run, in order; empty in a new database. */
export async function listMigrations(db: Kysely<Tables> | Transaction<Tables>): Promise<string[]> {
  const { rows: found } = await sql`
    select 1 where to_regclass('schema_migration') is not null`.execute(db);
  if (found.length === 0) return [];
  const { rows } = await sql<{ name: string }>`
    select name from schema_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** How the schema compares with this version of Belay. */
type SchemaStatus = {
  /** The oldest version that may run on it. */
  oldest: string | undefined;
  /** Migrations of a newer version. */
  newer: string[];
  /** Contract migrations that haven't run yet. */
  pending: string[];
};

export async function readSchemaStatus(
  db: Kysely<Tables>,
  { expand, contract }: Release = thisRelease,
): Promise<SchemaStatus> {
  const [oldest, applied] = await Promise.all([readOldestVersion(db), listMigrations(db)]);
  return {
    oldest,
    newer: applied.filter((name) => !(name in expand) && !(name in contract)),
    pending: Object.keys(contract).filter((name) => !applied.includes(name)),
  };
}
