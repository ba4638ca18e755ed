import { PGlite, types } from '@electric-sql/pglite';
import { Kysely, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { migrations } from '../../src/storage/migrations.ts';
import { type Database, onPGlite } from '../../src/storage/open-database.ts';
import { createDatabase, postgresUrl } from '../support/databases.ts';

type Opened = { db: Database; close: () => Promise<void> };

/** Every store, as a Belay left it that knew no migration after `last`. */
export function oldDatabases(last: string): { name: string; open: () => Promise<Opened> }[] {
  const opened = async ({ db, close }: Opened) => {
    const provider = { getMigrations: async () => migrations };
    const { error } = await new Migrator({ db, provider }).migrateTo(last);
    if (error) throw error;
    return { db, close };
  };
  return [
    { name: 'PGlite', open: async () => opened(await openEmbedded()) },
    ...(postgresUrl
      ? [{ name: 'PostgreSQL', open: async () => opened(await openServed(postgresUrl ?? '')) }]
      : []),
  ];
}

async function openEmbedded(): Promise<Opened> {
  const pglite = await PGlite.create({ parsers: { [types.INT8]: Number } });
  const { db } = onPGlite(pglite);
  return { db, close: () => db.destroy() };
}

async function openServed(serverUrl: string): Promise<Opened> {
  const { url, drop } = await createDatabase(serverUrl);
  const pool = new pg.Pool({ connectionString: url });
  const db: Database = new Kysely({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    async close() {
      await db.destroy();
      await drop();
    },
  };
}
