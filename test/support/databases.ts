import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { type OpenDatabase, openDatabase } from '../../src/storage/open-database.ts';

/** A PostgreSQL whose role may create databases; scripts/with-postgres.sh makes one. */
export const postgresUrl = process.env.TEST_DATABASE_URL;

type TestDatabase = { name: string; open: () => Promise<OpenDatabase> };

/** Every store that Belay runs on, for describe.each: fresh and empty at each `open`. */
export function databases(): TestDatabase[] {
  const embedded = { name: 'PGlite', open: () => openDatabase('pglite:memory') };
  return postgresUrl
    ? [embedded, { name: 'PostgreSQL', open: () => openFresh(postgresUrl ?? '') }]
    : [embedded];
}

/** A new database on that server, gone when it is closed. */
export async function openFresh(serverUrl: string): Promise<OpenDatabase> {
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

async function runOn(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
