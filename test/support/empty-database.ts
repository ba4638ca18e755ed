import { sql } from 'kysely';
import { inject } from 'vitest';
import { migrate } from '../../src/database/migrate.ts';
import { connectDatabase, type OpenDatabase } from '../../src/database/open-database.ts';
import { openFromTemplate } from './database-template.ts';
import { createDatabase, postgresUrl } from './databases.ts';

/** A database without tables, gone when it is closed. */
export async function openEmpty(kind: 'PGlite' | 'PostgreSQL'): Promise<OpenDatabase> {
  if (kind === 'PGlite') return openEmptied();
  const { url, drop } = await createDatabase(postgresUrl ?? '');
  const { close, ...opened } = await connectDatabase(url);
  return { ...opened, close: () => close().then(drop) };
}

/** In a tenth of the time that a new one takes. The next test may get the same database. */
async function openEmptied(): Promise<OpenDatabase> {
  const { db, isEmbedded, close } = await openFromTemplate(inject('databaseTemplate'));
  await sql`drop schema public cascade`.execute(db);
  await sql`create schema public`.execute(db);
  return {
    db,
    isEmbedded,
    async close() {
      await migrate(db);
      await close();
    },
  };
}
