import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { migrate } from '../../src/database/migrate.ts';
import { noon, onePm } from '../features/approvals/store/rows.ts';
import { oldDatabases } from './old-database.ts';

const id = (digit: number) => `00000000-0000-4000-8000-00000000000${digit}`;

it.each(oldDatabases('033_stored_audit_keys'))(
  "each workspace's connection gets a name, is the default, and shares its origin with those that it replaced on $name",
  async ({ open }) => {
    const { db, close } = await open();
    onTestFinished(close);
    const insert = (rowId: string, teamId: string, savedAt: Date, replacedAt: Date | null) =>
      sql`insert into connection (id, team_id, region_id, token_sealed, saved_by, saved_at, replaced_at)
          values (${rowId}, ${teamId}, 'eu', ${replacedAt ? null : 'sealed'}, 'U1', ${savedAt},
            ${replacedAt})`.execute(db);
    await insert(id(1), 'T1', noon, onePm);
    await insert(id(2), 'T1', onePm, null);
    await insert(id(3), 'T2', noon, null);
    await migrate(db);

    const rows = await db
      .selectFrom('connection')
      .select(['id', 'name', 'is_default', 'origin_id'])
      .orderBy('id')
      .execute();
    expect(rows).toEqual([
      { id: id(1), name: 'main', is_default: true, origin_id: id(2) },
      { id: id(2), name: 'main', is_default: true, origin_id: id(2) },
      { id: id(3), name: 'main', is_default: true, origin_id: id(3) },
    ]);
    const again = insert(id(4), 'T2', onePm, null);
    await expect(again).rejects.toThrow(/duplicate key/);
  },
);
