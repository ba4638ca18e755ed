import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { migrate } from '../../src/database/migrate.ts';
import { noon, onePm } from '../features/approvals/store/rows.ts';
import { oldDatabases } from './old-database.ts';

const id = (digit: number) => `00000000-0000-4000-8000-00000000000${digit}`;

it.each(oldDatabases('035_several_connections'))(
  "watches and digests are on their workspace's connection, and two connections can have the same on $name",
  async ({ open }) => {
    const { db, close } = await open();
    onTestFinished(close);
    const [old, current, other] = [id(1), id(2), id(3)];
    for (const [rowId, replacedAt, name] of [
      [old, onePm, 'main'],
      [current, null, 'main'],
      [other, null, 'europe'],
    ] as const) {
      await sql`insert into connection (id, team_id, region_id, token_sealed, saved_by, saved_at,
            replaced_at, name, is_default, origin_id)
          values (${rowId}, 'T1', 'eu', ${replacedAt ? null : 'sealed'}, 'U1', ${noon},
            ${replacedAt}, ${name}, ${name === 'main'}, ${name === 'main' ? old : other})`.execute(
        db,
      );
    }
    const watch = (connectionId: string) =>
      sql`insert into watch (id, team_id, connection_id, channel_id, search, created_by, created_at)
          values (gen_random_uuid(), 'T1', ${connectionId}, 'C1', '{}', 'U1', ${noon})`.execute(db);
    for (const connectionId of [old, current, other]) await watch(connectionId);
    const policyWatch = (teamId: string, origin?: string) =>
      origin === undefined
        ? sql`insert into policy_watch (team_id, channel_id, created_by, created_at)
            values (${teamId}, 'C1', 'U1', ${noon})`.execute(db)
        : sql`insert into policy_watch (team_id, channel_id, created_by, created_at,
              connection_origin_id)
            values (${teamId}, 'C1', 'U1', ${noon}, ${origin})`.execute(db);
    await policyWatch('T1');
    await policyWatch('T2');
    await migrate(db);

    const watches = await db
      .selectFrom('watch')
      .select(['connection_id', 'connection_origin_id'])
      .orderBy('connection_id')
      .execute();
    expect(watches.map((row) => row.connection_origin_id)).toEqual([old, old, other]);
    const ofPolicies = () =>
      db
        .selectFrom('policy_watch')
        .select(['team_id', 'connection_origin_id'])
        .orderBy('team_id')
        .orderBy('connection_origin_id')
        .execute();
    expect(await ofPolicies()).toEqual([
      { team_id: 'T1', connection_origin_id: old },
      { team_id: 'T2', connection_origin_id: null },
    ]);
    await policyWatch('T1', other);
    expect(await ofPolicies()).toHaveLength(3);
    await expect(policyWatch('T1', other)).rejects.toThrow(/duplicate key/);
    await expect(policyWatch('T2')).rejects.toThrow(/duplicate key/);
  },
);
