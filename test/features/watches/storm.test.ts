import { expect, it } from 'vitest';
import { createAppendEntry } from '../../../src/audit-log/append.ts';
import { serveAll } from '../../../src/database/served-teams.ts';
import { createWatches } from '../../../src/features/watches/poller.ts';
import { createPollStore } from '../../../src/features/watches/store/poll-store.ts';
import { createLogger } from '../../../src/logger.ts';
import { enqueueMessages } from '../../../src/postings/outbox/enqueue.ts';
import { logKeys } from '../../requests/store/rows.ts';
import { seconds, serviceAlert, shareWatching } from './poll-stage.ts';

const openWatching = shareWatching();

/** A watch whose messages go into the outbox, and a poller for it. */
async function watchThroughOutbox() {
  const given = await openWatching('live', { pageSize: 100 });
  const { db, store, openService, now } = given;
  const watch = await given.setUp(await given.connect());
  const poller = createWatches({
    store: createPollStore(db, {
      enqueueMessages,
      append: createAppendEntry(logKeys),
      isServed: serveAll,
    }),
    watchStore: store,
    openService,
    clock: now,
    log: createLogger('fatal'),
  });
  return { ...given, watch, poller };
}

it('shows every alert of a storm in a message or in a summary', async () => {
  const { service, portal, db, store, watch, poller, waitForNextPoll } = await watchThroughOutbox();
  for (let round = 0; round < 3; round += 1) {
    for (let index = 0; index < 400; index += 1) {
      const alert = serviceAlert(`a${round}-${index}`, seconds(round * 20 + index / 50));
      service.putAlert(portal.id, alert);
    }
    waitForNextPoll();
    await poller.poll.finish();
  }
  const { postedCount = 0, countedCount = 0 } = (await store.find(watch)) ?? {};
  expect(postedCount + countedCount).toBe(1200);
  expect(postedCount).toBeLessThan(100);
  const summaries = await db.selectFrom('delivery_summary').select('counts').execute();
  expect(summaries).toEqual([
    { counts: { 'error\nPolicy violated: Backup failed': countedCount } },
  ]);
});

it('counts a recurring alert once per summary, and posts it after the storm', async () => {
  const { service, portal, db, store, watch, poller, waitForNextPoll, tick } =
    await watchThroughOutbox();
  const raise = (count: number, at: number) => {
    for (let index = 0; index < 40; index += 1) {
      const raised = { raised_count: count, raised_timestamp: seconds(1).toISOString() };
      service.putAlert(portal.id, serviceAlert(`a${index}`, seconds(at), raised));
    }
  };
  const poll = async () => {
    waitForNextPoll();
    await poller.poll.finish();
  };
  const summaries = () =>
    db
      .selectFrom('delivery_summary')
      .select('counts')
      .where('group_key', '=', watch.id)
      .where('state', '=', 'open')
      .execute();
  raise(1, 1);
  await poll();
  raise(2, 60);
  await poll();
  raise(3, 120);
  await poll();
  expect(await store.find(watch)).toMatchObject({ postedCount: 10, countedCount: 30 });
  expect(await summaries()).toEqual([{ counts: { 'error\nPolicy violated: Backup failed': 30 } }]);

  await db.updateTable('delivery_summary').set({ state: 'closed' }).execute();
  const posted = { state: 'sent' as const, posted_channel_id: 'C1', message_ts: '1.1' };
  await db.updateTable('delivery_message').set(posted).execute();
  tick();
  raise(4, 180);
  await poll();
  expect(await summaries()).toEqual([{ counts: { 'error\nPolicy violated: Backup failed': 20 } }]);
  expect(await store.find(watch)).toMatchObject({ postedCount: 20, countedCount: 20 });
});

it('stores alerts with characters that PostgreSQL refuses', async () => {
  const { service, portal, db, store, watch, poller, waitForNextPoll } = await watchThroughOutbox();
  const primary_entity = { id: 'e\0', type: 'v\0', value: 'n\0\udc00' };
  const odd = { notes: 'a\0b\ud800', severity: 'x\0', primary_entity };
  const cutInHalf = { severity: `${'x'.repeat(99)}😀` };
  service.putAlert(portal.id, serviceAlert('cut', seconds(9), cutInHalf));
  service.putAlert(portal.id, serviceAlert('odd', seconds(9), odd));
  service.putAlert(portal.id, serviceAlert(`id with \0 ${'and more '.repeat(500)}`, seconds(10)));
  waitForNextPoll();
  await poller.poll.finish();
  expect(await store.find(watch)).toMatchObject({ highWater: seconds(10), postedCount: 3 });
  const outbox = () => db.selectFrom('delivery_message').select(['subject', 'version']).execute();
  const before = await outbox();
  waitForNextPoll();
  await poller.poll.finish();
  expect(await outbox()).toEqual(before);
});
