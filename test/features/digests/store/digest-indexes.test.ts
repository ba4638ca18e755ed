import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../../../src/database/open-database.ts';
import { databases } from '../../../support/databases.ts';

describe.each(databases())('lookups of digests on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  it.each([
    ['samples that are too old', 'compliance_sample', '(connection_id, taken_at)'],
    ['pending requests', 'approval', "(team_id) WHERE (state = 'pending'::text)"],
  ])('use an index for %s', async (_, table, columns) => {
    const { rows } = await sql<{ indexdef: string }>`
      select indexdef from pg_indexes where tablename = ${table}`.execute(database.db);
    expect(rows.filter(({ indexdef }) => indexdef.endsWith(columns))).toHaveLength(1);
  });
});
