import { addSeconds } from 'date-fns/addSeconds';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isHeldBy, leaseRows, released } from '../../src/database/leases.ts';
import type { OpenDatabase } from '../../src/database/open-database.ts';
import { serveAll } from '../../src/database/served-teams.ts';
import { newTeamId, noon } from '../requests/store/rows.ts';
import { databases } from '../support/databases.ts';

describe.each(databases())('leases on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  /** Inserts due channels of a new team. */
  async function insertChannels(count: number) {
    const team_id = newTeamId();
    const values = Array.from({ length: count }, (_, index) => ({
      team_id,
      channel_id: `C${index}`,
      last_position: 0,
      due_at: noon,
      ready_at: addSeconds(noon, -index),
    }));
    await database.db.insertInto('delivery_channel').values(values).execute();
    const lease = async (holder: string, { at = noon, limit = 100 } = {}) => {
      const rows = await leaseRows(
        database.db,
        { holder, at, until: addSeconds(at, 30) },
        {
          table: 'delivery_channel',
          key: ['team_id', 'channel_id'],
          isServed: serveAll,
          isDue: sql`due_at <= ${at} and team_id = ${team_id}`,
          orderBy: ['ready_at'],
          limit,
          set: sql`attempts = attempts + 1`,
        },
      );
      return rows.map(({ channel_id, attempts }) => [channel_id, attempts]);
    };
    return { team_id, lease };
  }

  it('go to one holder, in order and up to the limit', async () => {
    const { lease } = await insertChannels(3);
    expect((await lease('a', { limit: 2 })).sort()).toEqual([
      ['C1', 1],
      ['C2', 1],
    ]);
    expect(await lease('b')).toEqual([['C0', 1]]);
    expect(await lease('c')).toEqual([]);
  });

  it('go to one of several concurrent claims', async () => {
    const { lease } = await insertChannels(40);
    const all = await Promise.all(
      ['a', 'b', 'c', 'd'].map((holder) => lease(holder, { limit: 10 })),
    );
    const names = all.flat().map(([name]) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('can be taken over after they expire, and then the first holder records nothing', async () => {
    const { team_id, lease } = await insertChannels(1);
    await lease('slow');
    expect(await lease('next', { at: addSeconds(noon, 29) })).toEqual([]);
    expect(await lease('next', { at: addSeconds(noon, 30) })).toEqual([['C0', 2]]);
    const record = async (holder: string) => {
      const { numUpdatedRows } = await database.db
        .updateTable('delivery_channel')
        .set(released)
        .where('team_id', '=', team_id)
        .where(isHeldBy(holder))
        .executeTakeFirst();
      return numUpdatedRows;
    };
    expect(await record('slow')).toBe(0n);
    expect(await record('next')).toBe(1n);
    expect(await lease('last')).toEqual([['C0', 3]]);
  });
});
