import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listMigrations, migrate } from '../../src/database/migrate.ts';
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

  const listTables = async () => {
    const tables = await database.db.introspection.getTables();
    return tables.filter(({ name }) => name !== 'schema_migration');
  };

  it('create exactly the tables and columns of the types', async () => {
    const made = (await listTables()).map(
      (table) => [table.name, table.columns.map(({ name }) => name).sort()] as const,
    );
    const said = Object.entries(columns).map(([name, list]) => [name, [...list].sort()] as const);
    expect(Object.fromEntries(made)).toEqual(Object.fromEntries(said));
  });

  it('allow null exactly where the types do', async () => {
    const nullable = (await listTables()).map(({ name, columns: found }) => [
      name,
      found
        .filter(({ isNullable }) => isNullable)
        .map((column) => column.name)
        .sort(),
    ]);
    const said = Object.entries(nullableColumns).map(([name, list]) => [name, [...list].sort()]);
    expect(Object.fromEntries(nullable)).toEqual(Object.fromEntries(said));
  });

  it('do nothing the second time', async () => {
    const before = await listMigrations(database.db);
    await migrate(database.db);
    expect(await listMigrations(database.db)).toEqual(before);
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
