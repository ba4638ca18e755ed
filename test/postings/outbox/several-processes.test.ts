import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import { serveAll } from '../../../src/database/served-teams.ts';
import { createOutboxStore } from '../../../src/postings/outbox/store/outbox-store.ts';
import { about, alerts, ops, random, startDeliveryStage, stores } from './stage.ts';

describe.each(stores())('several delivering processes, on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  it('send each message once, in order, one a second', async () => {
    const stage = await startDeliveryStage(database.db);
    const deliveries = [1, 2, 3, 4].map(() => stage.startDelivery());
    for (let second = 0; second < 20; second += 1) {
      await stage.queue([about(`a${second}`, `${second}`)]);
      await stage.queue([about(`a${second}`, `${second}`)], { channelId: random });
      stage.wait(1000);
      await Promise.all(deliveries.map(({ deliver }) => deliver.finish()));
    }
    await stage.run(3);
    const all = Array.from({ length: 20 }, (_, second) => `${second}`);
    expect(stage.texts()).toEqual(all);
    expect(stage.texts(random)).toEqual(all);
    expect(stage.slack.messageRateOf(ops).maxPerSecond).toBe(1);
  });

  it('take over the channels of a process that died', async () => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue([about('a', 'one'), about('b', 'two')]);
    const store = createOutboxStore(database.db, [], serveAll);
    const at = stage.clock();
    const claim = { holder: 'dead', at, until: new Date(at.getTime() + 30_000) };
    expect(await store.leaseChannels(claim, 20)).toMatchObject([{ channelId: ops }]);
    await stage.run(29);
    expect(stage.texts()).toEqual([]);
    await stage.run(3);
    expect(stage.texts()).toEqual(['one', 'two']);
  });

  it('undo no newer edit after one of them was suspended', async () => {
    let suspend: (() => Promise<void>) | undefined;
    const stage = await startDeliveryStage(database.db, {
      async beforeSend() {
        const now = suspend;
        suspend = undefined;
        await now?.();
      },
    });
    await stage.queue([about('a', 'active')]);
    await stage.run(1);
    await stage.queue([about('a', 'worse')]);
    stage.wait(1000);
    suspend = async () => {
      stage.wait(35_000);
      const other = stage.startDelivery();
      await other.deliver.finish();
      await stage.queue([about('a', 'cleared')]);
      stage.wait(1000);
      await other.deliver.finish();
    };
    await stage.deliver();
    await stage.run(2);
    expect(stage.texts()).toEqual(['cleared']);
  });

  it('lose no message that is queued while they send', async () => {
    const stage = await startDeliveryStage(database.db);
    const delivery = stage.startDelivery();
    await stage.queue([about('a', '0')]);
    for (let round = 1; round <= 25; round += 1) {
      stage.wait(1000);
      await Promise.all([delivery.deliver.finish(), stage.queue([about('a', `${round}`)])]);
    }
    await stage.run(2);
    expect(stage.texts()).toEqual(['25']);
  });

  it('count a storm that several callers queue exactly', async () => {
    const stage = await startDeliveryStage(database.db);
    const queued = await Promise.all(
      [0, 1, 2, 3, 4, 5].map((caller) => stage.queue(alerts(40, { first: 1 + caller * 40 }))),
    );
    const became = queued.flat().map(({ as }) => as);
    expect(became.filter((as) => as === 'message')).toHaveLength(10);
    await stage.run(12);
    expect(stage.texts()).toHaveLength(11);
    expect(stage.texts().at(-1)).toContain('230 more alerts');
  });
});
