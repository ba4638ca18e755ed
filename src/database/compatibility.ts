import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { version } from '../version.ts';
import { type ContractMigration, contractMigrations } from './migrations/contract.ts';
import { migrations } from './migrations/index.ts';
import type { Tables } from './tables.ts';

/**
 * What a version of Belay knows about schemas. During an upgrade, its processes share a database with
 * those of the previous minor version.
 */
export type Release = {
  version: string;
  /**
   * The oldest version that may run on the same database as this one: the previous minor version, or
   * this one if it has a new baseline.
   */
  oldestCompatible: string;
  /** They only add: the previous version's schema stays usable. */
  expand: Record<string, Migration>;
  contract: Record<string, ContractMigration>;
};

export const thisRelease: Release = {
  version,
  oldestCompatible: '0.2.0',
  expand: migrations,
  contract: contractMigrations,
};

/** Compares major and minor version: patches of one minor version have the same schema. */
export function isOlder(one: string, other: string): boolean {
  const [major = 0, minor = 0] = numbersOf(one);
  const [otherMajor = 0, otherMinor = 0] = numbersOf(other);
  return major === otherMajor ? minor < otherMinor : major < otherMajor;
}

function numbersOf(text: string): number[] {
  return text.split('.').map(Number);
}

/** The newer of two versions. */
export function newerOf(one: string, other: string): string {
  return isOlder(one, other) ? other : one;
}

/**
 * Versions before the baseline kept their migrations in a table of this name.
 * @throws {Error} if one of them made the database.
 */
export async function rejectEarlierDatabase(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql`
    select 1 where to_regclass('kysely_migration') is not null`.execute(db);
  if (rows.length === 0) return;
  throw new Error(
    "it was made by an earlier version of Belay, which this version can't upgrade. Nothing in it was changed. Start with an empty database, and export what you need with the earlier version first (`npm run -s admin -- audit export`, `config export FILE`)",
  );
}

/** @throws {Error} if a newer version has changed the schema so that this version can't use it. */
export async function requireCompatible(db: Kysely<Tables>, release = thisRelease): Promise<void> {
  const oldest = await readOldestVersion(db);
  if (oldest === undefined || !isOlder(release.version, oldest)) return;
  throw new Error(
    `this is Belay ${release.version}, but the database was upgraded and needs Belay ${oldest} or newer. Start a newer version, or restore a backup from before the upgrade`,
  );
}

/** How long a killed process still counts as running. A frozen one may continue within this time. */
const liveSeconds = 60;

/**
 * Keeps versions before `oldest` from starting on this database from now on.
 * @throws {Error} if processes of them run.
 */
export async function rejectOlderVersions(db: Kysely<Tables>, oldest: string): Promise<void> {
  const isDone = (current: string | undefined) =>
    current !== undefined && !isOlder(current, oldest);
  if (isDone(await readOldestVersion(db))) return;
  await db.transaction().execute(async (trx) => {
    // A starting process adds its row, then reads the table below: it is seen here, or it sees the new value.
    await sql`lock table replica in share row exclusive mode`.execute(trx);
    if (isDone(await readOldestVersion(trx))) return;
    const live = await trx
      .selectFrom('replica')
      .select('version')
      .distinct()
      .where('last_seen_at', '>', sql<Date>`now() - interval '1 second' * ${sql.lit(liveSeconds)}`)
      .execute();
    const older = live.map((row) => row.version).filter((one) => isOlder(one, oldest));
    if (older.length > 0) {
      throw new Error(
        `processes of Belay ${older.sort().join(' and ')} ran within the last ${liveSeconds} seconds, and this upgrade needs Belay ${oldest} or newer. Stop them, or upgrade them to the minor version in between first`,
      );
    }
    await trx
      .insertInto('schema_compatibility')
      .values({ oldest_version: oldest })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ oldest_version: oldest }))
      .execute();
  });
}

/** The oldest version that may run on this schema; undefined if none is recorded yet. */
export async function readOldestVersion(db: Kysely<Tables>): Promise<string | undefined> {
  if (!(await hasTable(db))) return undefined;
  const row = await db
    .selectFrom('schema_compatibility')
    .select('oldest_version')
    .executeTakeFirst();
  return row?.oldest_version;
}

async function hasTable(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql`
    select 1 where to_regclass('schema_compatibility') is not null`.execute(db);
  return rows.length > 0;
}
