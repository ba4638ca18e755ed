import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrations } from '../../src/database/migrations/index.ts';
import { type OpenDatabase, openDatabase } from '../../src/database/open-database.ts';
import { createDatabase, newDatabases, postgresUrl } from '../support/databases.ts';
import { columns } from './expected-columns.ts';
import { nullableColumns } from './expected-nulls.ts';

describe.each(newDatabases())('migrations on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  it('create exactly the tables and columns of the types', async () => {
    const tables = await database.db.introspection.getTables();
    const made = tables.map(
      (table) => [table.name, table.columns.map(({ name }) => name).sort()] as const,
    );
    const said = Object.entries(columns).map(([name, list]) => [name, [...list].sort()] as const);
    expect(Object.fromEntries(made)).toEqual(Object.fromEntries(said));
  });

  it('allow null exactly where the types do', async () => {
    const tables = await database.db.introspection.getTables();
    const nullable = Object.fromEntries(
      tables.map(({ name, columns: found }) => [
        name,
        found.filter(({ isNullable }) => isNullable).map((column) => column.name),
      ]),
    );
    expect(nullable).toEqual(nullableColumns);
  });

  it('do nothing the second time', async () => {
    const provider = { getMigrations: async () => migrations };
    const { error, results } = await new Migrator({
      db: database.db,
      provider,
    }).migrateToLatest();
    expect(error).toBeUndefined();
    expect(results).toEqual([]);
  });

  it('return counts as numbers on every database', async () => {
    const { rows } = await sql<{ n: unknown }>`select count(*) as n`.execute(database.db);
    expect(rows).toEqual([{ n: 1 }]);
  });
});

describe.runIf(postgresUrl)('several processes on one PostgreSQL', () => {
  it('can migrate an empty database at the same time', async () => {
    const { url, drop } = await createDatabase(postgresUrl ?? '');
    try {
      const opened = await Promise.all([1, 2, 3, 4].map(() => openDatabase(url)));
      await Promise.all(opened.map(({ close }) => close()));
    } finally {
      await drop();
    }
  });
});
