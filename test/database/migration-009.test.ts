import { randomUUID } from 'node:crypto';
import { addHours } from 'date-fns/addHours';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { migrate } from '../../src/database/migrate.ts';
import { noon } from '../features/approvals/store/rows.ts';
import { claimAt, openDigestStore, runOf } from '../features/digests/store/digest-rows.ts';
import { oldDatabases } from './old-database.ts';

describe.each(oldDatabases('008_standard_names'))('migration 009 on $name', ({ open }) => {
  it('preserves digests that had quiet hours, including a postponed one', async () => {
    const { db, close } = await open();
    onTestFinished(close);
    const [postponed, waiting] = [randomUUID(), randomUUID()];
    const insert = (id: string, nextRunAt: Date, postponedFrom: Date | null) =>
      sql`insert into digest (id, team_id, channel_id, time, weekdays, time_zone, quiet_from,
            quiet_to, parts, when_empty, created_by, created_at, source_view_id, next_run_at,
            postponed_from, covered_until)
          values (${id}, 'T1', 'C1', '13:00', '[1,2,3,4,5,6,7]', 'Europe/Berlin', '22:00',
            '07:00', '["new"]', 'heartbeat', 'U_ANA', ${noon}, ${id}, ${nextRunAt},
            ${postponedFrom}, ${noon})`.execute(db);
    await insert(postponed, addHours(noon, 2), noon);
    await insert(waiting, addHours(noon, 3), null);
    await migrate(db);

    const { store } = openDigestStore(db);
    for (const [hours, id, dueAt] of [
      [2, postponed, noon],
      [3, waiting, addHours(noon, 3)],
    ] as const) {
      const claim = await store.claimDue(claimAt(addHours(noon, hours)));
      expect(claim).toMatchObject({ digest: { id, settings: { time: '13:00' } }, dueAt });
      expect(claim && (await store.finish(claim, runOf(claim)))).toBe(true);
    }
  });

  it('starts the revision at 1 where a setup was saved, else at 0', async () => {
    const { db, close } = await open();
    onTestFinished(close);
    for (const [teamId, viewId] of [
      ['T1', 'V1'],
      ['T2', ''],
    ]) {
      await sql`insert into workspace_settings (team_id, approvers, saved_from_view_id)
          values (${teamId}, '[]', ${viewId})`.execute(db);
    }
    await migrate(db);
    const rows = await db
      .selectFrom('workspace_settings')
      .select(['team_id', 'saved_from_view_id', 'revision'])
      .orderBy('team_id')
      .execute();
    expect(rows).toEqual([
      { team_id: 'T1', saved_from_view_id: 'V1', revision: 1 },
      { team_id: 'T2', saved_from_view_id: null, revision: 0 },
    ]);
  });
});
