import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../src/database/open-database.ts';
import { openFromTemplate } from './database-template.ts';

/** A PostgreSQL whose role may create databases; scripts/with-postgres.sh makes one. */
export const postgresUrl = process.env.TEST_DATABASE_URL;

type TestDatabase = { name: string; open: () => Promise<OpenDatabase> };

/** Every store that Belay runs on, for describe.each: empty at each `open`. */
export function databases(): TestDatabase[] {
  return withPostgres({
    name: 'PGlite',
    open: () => openFromTemplate(inject('databaseTemplate')),
  });
}

/** The same, made from nothing at each `open`, which takes a second more. */
export function newDatabases(): TestDatabase[] {
  return withPostgres({ name: 'PGlite', open: () => openDatabase('pglite:memory') });
}

function withPostgres(embedded: TestDatabase): TestDatabase[] {
  return postgresUrl
    ? [embedded, { name: 'PostgreSQL', open: () => openFresh(postgresUrl ?? '') }]
    : [embedded];
}

/** PostgreSQL if the test run names one, so that tests of whole workflows run on both databases. */
export function openAnyDatabase(): Promise<OpenDatabase> {
  return postgresUrl ? openFresh(postgresUrl) : openFromTemplate(inject('databaseTemplate'));
}

/** A new database on that server, gone when it is closed. */
async function openFresh(serverUrl: string): Promise<OpenDatabase> {
  const { url, drop } = await createDatabase(serverUrl);
  const { close, ...opened } = await openDatabase(url);
  return {
    ...opened,
    async close() {
      await close();
      await drop();
    },
  };
}

/** An empty database of its own on that server. */
export async function createDatabase(
  serverUrl: string,
): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `belay_test_${randomBytes(6).toString('hex')}`;
  await runOn(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => runOn(serverUrl, `drop database ${name} with (force)`) };
}

/** Runs one statement on its own connection. */
export async function runOn(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
