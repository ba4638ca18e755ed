import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type Kysely, sql } from 'kysely';
import { expect, inject, it, onTestFinished } from 'vitest';
import { runAdmin } from '../../src/admin/run-admin.ts';
import { createPGlite } from '../../src/database/embedded/create-pglite.ts';
import { onPGlite, openDatabase } from '../../src/database/open-database.ts';
import { defaultLimits, openPool, postgresConnection } from '../../src/database/postgres-pool.ts';
import type { Tables } from '../../src/database/tables.ts';
import { unpackTemplate } from '../support/database-template.ts';
import { createDatabase, postgresUrl } from '../support/databases.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** An address, and how to look into what it names without Belay's checks. */
type Store = { url: string; connect: () => Promise<Kysely<Tables>> };

async function onFolder(): Promise<Store> {
  const folder = join(temporaryFolder(), 'data');
  await unpackTemplate(inject('databaseTemplate'), folder);
  const connect = async () => onPGlite(await createPGlite(folder));
  return { url: `pglite:${folder}`, connect };
}

async function onPostgres(): Promise<Store> {
  const { url, drop } = await createDatabase(postgresUrl ?? '');
  onTestFinished(drop);
  const connect = async () => openPool<Tables>(postgresConnection(url, defaultLimits), 1);
  return { url, connect };
}

async function inspect<T>({ connect }: Store, look: (db: Kysely<Tables>) => Promise<T>) {
  const db = await connect();
  return look(db).finally(() => db.destroy());
}

const listTables = (db: Kysely<Tables>) =>
  sql`select relname, relfilenode from pg_class where relnamespace = 'public'::regnamespace
    order by relname`.execute(db);

const remedy =
  "DATABASE_URL: can't open the database: it was made by an earlier version of Belay, which this version can't upgrade. Nothing in it was changed. Start with an empty database, and export what you need with the earlier version first (`npm run -s admin -- audit export`, `config export FILE`)";

it.each([
  { name: 'PGlite', make: onFolder },
  ...(postgresUrl ? [{ name: 'PostgreSQL', make: onPostgres }] : []),
])(
  'refuses a database of a version before the baseline, and leaves it as it is, on $name',
  async ({ make }) => {
    const store = await make();
    const before = await inspect(store, async (db) => {
      await sql`drop schema public cascade`.execute(db);
      await sql`create schema public`.execute(db);
      // As Kysely's migrator made it.
      await sql`create table kysely_migration (
      name varchar(255) primary key, timestamp varchar(255) not null)`.execute(db);
      await sql`insert into kysely_migration
      values ('001_connections_and_approvals', '2026-01-01')`.execute(db);
      return listTables(db);
    });

    await expect(openDatabase(store.url)).rejects.toThrow(remedy);
    const exported = join(temporaryFolder(), 'belay.jsonl');
    for (const command of ['doctor', 'migrate', 'audit verify', `export ${exported}`]) {
      const stderr = new PassThrough();
      const code = await runAdmin(command.split(' '), {
        env: { DATABASE_URL: store.url, BELAY_ENCRYPTION_KEYS: randomBytes(32).toString('base64') },
        stdout: new PassThrough(),
        stderr,
      });
      stderr.end();
      expect({ code, error: await text(stderr) }).toEqual({ code: 2, error: `${remedy}\n` });
    }
    expect(await inspect(store, listTables)).toEqual(before);
  },
);
