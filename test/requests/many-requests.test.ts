import { type KyselyPlugin, sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Database } from '../../src/database/tables.ts';
import { listWaiting } from '../../src/requests/list/list-waiting.ts';
import { ask } from '../support/ask.ts';
import { contextWith } from './context-with.ts';
import { copyRun, openApprovalStore } from './store/rows.ts';
import { shareWorldWithDatabase } from './world-with-database.ts';

const { world, db } = shareWorldWithDatabase();

/** Ana's request, and copies of it with earlier deadlines. */
async function request(copies: number): Promise<void> {
  await db().deleteFrom('approval').execute();
  await ask(world().ana, '/belay disable joana.prado@example.com');
  await sql`
    insert into approval select (jsonb_populate_record(one, jsonb_build_object(
      'id', gen_random_uuid(), 'source_view_id', 'V' || number, 'requester', 'U_OTHER',
      'wake_at', one.wake_at - interval '1 hour'))).*
    from approval as one, generate_series(1, ${copies}::int) as number`.execute(db());
  await copyRun(db());
}

/** The number of rows that each select of requests returned. */
function countSelects(on: Database): { counted: Database; rows: () => number[] } {
  const counts: number[] = [];
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      counts.push(result.rows.length);
      return result;
    },
  };
  return { counted: on.withPlugin(plugin), rows: () => counts };
}

test('lists show a limited number of requests, first the own ones, and say so', async () => {
  const { ana, ben } = world();
  await request(450);

  await ana.send('ops', '/belay requests mine');
  await ana.seeMessage('Your requests: 1');
  await ben.send('ops', '/belay requests');
  const list = await ben.seeMessage('*200 open requests* · 1-10 of 200 · 200 you can decide');
  expect(JSON.stringify(list.blocks)).toContain('Belay lists 200 open requests at most.');
  await ben.openHome();
  await ben.seeHome('Belay lists 200 open requests at most.');
});

test('what a save of the setup voids is read in pages, and completely', async () => {
  await request(450);
  const { teamId } = world().workspace;
  const { counted, rows } = countSelects(db());
  const { store } = openApprovalStore(counted);
  const context = contextWith({ store, clock: () => new Date() });
  const lost = { originId: undefined, actions: ['users.disable'] };
  const found = await listWaiting(teamId, lost, context);
  expect(found).toHaveLength(451);
  expect(new Set(found.map(({ id }) => id)).size).toBe(451);
  expect(rows()).toEqual([200, 200, 51]);
  expect(found[0]?.summary).toContain('Joana Prado');

  await sql`update run set payload = '["canary"]' from approval
    where approval.id = run.approval_id and requester <> 'U_OTHER'`.execute(db());
  const damaged = await listWaiting(teamId, lost, context);
  const person = {
    slackUserId: 'U1',
    isAdmin: false,
    membership: 'member',
    email: undefined,
  } as const;
  const unknown = damaged.filter(({ isSubject }) => isSubject(person) === 'unknown');
  expect(unknown.map(({ summary }) => summary)).toContain("something that Belay can't read");
});
