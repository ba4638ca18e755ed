import { addMilliseconds } from 'date-fns/addMilliseconds';
import { addMinutes } from 'date-fns/addMinutes';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import type { Database } from '../../src/database/tables.ts';
import { createLogger } from '../../src/logger.ts';
import type { ApprovalRef } from '../../src/requests/approval.ts';
import { createRequestWork } from '../../src/requests/request-work.ts';
import type { ApprovalStore } from '../../src/requests/store/approval-store.ts';
import { databases, openAnyDatabase } from '../support/databases.ts';
import { copyRun, onePm, openApprovalStore, pendingRequest } from './store/rows.ts';

/** A request that is due and not up to date in Slack, and `copies` copies of it. */
async function addDue(
  db: Database,
  store: ApprovalStore,
  { copies, wakeAt }: { copies: number; wakeAt: string },
): Promise<ApprovalRef> {
  const { teamId, id } = await pendingRequest(db, store);
  await sql`update approval set wake_at = ${wakeAt}, version = 1 where id = ${id}`.execute(db);
  await sql`
    insert into approval select (jsonb_populate_record(one, jsonb_build_object(
      'id', gen_random_uuid(), 'source_view_id', 'V' || number))).*
    from approval as one, generate_series(1, ${copies}::int) as number where id = ${id}
  `.execute(db);
  await copyRun(db);
  return { teamId, id };
}

it.each(databases())(
  'a workspace whose requests all fail leaves room for others, on $name',
  async ({ open }) => {
    const { db, close } = await open();
    onTestFinished(close);
    const { store } = openApprovalStore(db);
    const failing = await addDue(db, store, { copies: 300, wakeAt: '2026-03-01T12:00:00Z' });
    const other = await addDue(db, store, { copies: 0, wakeAt: '2026-03-01T12:30:00Z' });
    const done: string[] = [];
    const work =
      (kind: string) =>
      async (ref: ApprovalRef): Promise<undefined> => {
        if (ref.teamId === failing.teamId) throw new Error('account_inactive');
        done.push(`${kind} ${ref.id}`);
      };
    const { finish } = createRequestWork({
      store,
      advance: work('advance'),
      publish: work('publish'),
      clock: () => onePm,
      log: createLogger('silent'),
    });
    await finish();
    expect(done.slice(0, 2)).toEqual([`advance ${other.id}`, `publish ${other.id}`]);
  },
);

it('messages are updated again when they can be, without being found', async () => {
  const { db, close } = await openAnyDatabase();
  onTestFinished(close);
  const { store } = openApprovalStore(db);
  const approval = { ...(await pendingRequest(db, store)), version: 1 };
  const updated = Promise.withResolvers<string>();
  let calls = 0;
  const work = createRequestWork({
    store,
    advance: async () => undefined,
    async publish({ id }) {
      calls += 1;
      if (calls === 1) return addMilliseconds(onePm, 10);
      updated.resolve(id);
      return undefined;
    },
    clock: () => onePm,
    log: createLogger('silent'),
  });
  work.start([approval]);
  expect(await updated.promise).toBe(approval.id);
  await work.stop();
});

it('a step that hangs delays no other workspace, and is not started again while it runs', async () => {
  const { db, close } = await openAnyDatabase();
  onTestFinished(close);
  const { store } = openApprovalStore(db);
  const slow = await addDue(db, store, { copies: 0, wakeAt: '2026-03-01T12:00:00Z' });
  const other = await addDue(db, store, { copies: 0, wakeAt: '2026-03-01T12:30:00Z' });
  const events: string[] = [];
  const { finish } = createRequestWork({
    store,
    async advance({ id }) {
      events.push(id);
      if (id === slow.id) await new Promise(() => undefined);
    },
    publish: async () => undefined,
    clock: () => onePm,
    log: createLogger('error', { write: (line) => void events.push(JSON.parse(line).err.name) }),
    limits: { limitMs: 200 },
  });
  await finish();
  expect(events).toEqual([slow.id, other.id, 'TooSlowError']);
  await finish();
  expect(events.slice(3)).toEqual([other.id]);
});

it('a request that cannot be read is left alone for an hour', async () => {
  const { db, close } = await openAnyDatabase();
  onTestFinished(close);
  const { store } = openApprovalStore(db);
  const broken = await addDue(db, store, { copies: 0, wakeAt: '2026-03-01T12:00:00Z' });
  await sql`update run set checks = '["canary"]'`.execute(db);
  const other = await addDue(db, store, { copies: 0, wakeAt: '2026-03-01T12:30:00Z' });
  const logged: string[] = [];
  const read: string[] = [];
  let now = onePm;
  const work = async (ref: ApprovalRef): Promise<undefined> => {
    read.push(ref.id);
    await store.find(ref);
  };
  const { finish } = createRequestWork({
    store,
    advance: work,
    publish: work,
    clock: () => now,
    log: createLogger('error', { write: (line) => void logged.push(line) }),
  });
  await finish();
  expect(new Set(read)).toEqual(new Set([broken.id, other.id]));
  expect(logged.join()).not.toContain('canary');
  read.length = 0;
  now = addMinutes(onePm, 59);
  await finish();
  expect(new Set(read)).toEqual(new Set([other.id]));
  now = addMinutes(onePm, 60);
  await finish();
  expect(read).toContain(broken.id);
});

it('the outdated messages of a request that waited for a week are found', async () => {
  const { db, close } = await openAnyDatabase();
  onTestFinished(close);
  const { store } = openApprovalStore(db);
  const old = await addDue(db, store, { copies: 0, wakeAt: '2026-04-01T12:00:00Z' });
  const published: string[] = [];
  const { finish } = createRequestWork({
    store,
    advance: async () => undefined,
    publish: async ({ id }) => void published.push(id),
    clock: () => addMinutes(onePm, 7 * 24 * 60),
    log: createLogger('silent'),
  });
  await finish();
  expect(published).toEqual([old.id]);
});
