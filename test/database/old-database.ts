import { sql } from 'kysely';
import { migrate, runMigrations } from '../../src/database/migrate.ts';
import { migrations } from '../../src/database/migrations/index.ts';
import type { OpenDatabase } from '../../src/database/open-database.ts';
import { databases } from '../support/databases.ts';

/** Every database, migrated up to `last` only. */
export function oldDatabases(last: string): ReturnType<typeof databases> {
  return databases().map(({ name, open }) => ({
    name,
    open: async () => recreateSchema(await open(), last),
  }));
}

/** Recreates the schema in an open database, in a tenth of the time that a new embedded one takes. */
async function recreateSchema(
  { db, close, shared }: OpenDatabase,
  last: string,
): Promise<OpenDatabase> {
  await sql`drop schema public cascade`.execute(db);
  await sql`create schema public`.execute(db);
  const old = Object.entries(migrations).filter(([migration]) => migration <= last);
  await runMigrations(db, Object.fromEntries(old));
  return {
    db,
    shared,
    async close() {
      // The next test may get the same database.
      await migrate(db);
      await close();
    },
  };
}
