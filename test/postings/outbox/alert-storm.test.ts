import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import { about, alerts, startDeliveryStage, stores } from './stage.ts';

describe.each(stores())('an alert storm on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  const summary = (texts: string[]) => texts.filter((text) => text.includes('more alert'));

  it('posts the first ten and counts the rest in one message', async () => {
    const stage = await startDeliveryStage(database.db);
    const queued = await stage.queue([
      ...alerts(312),
      ...alerts(940, { first: 313, facet: 'warning' }),
    ]);
    expect(queued.map(({ as }) => as)).toEqual([
      ...Array(10).fill('message'),
      ...Array(1242).fill('summary'),
    ]);
    await stage.run(15);
    expect(stage.texts()).toHaveLength(11);
    expect(stage.texts().slice(0, 2)).toEqual(['alert 1', 'alert 2']);
    expect(stage.texts().at(-1)).toMatch(
      /^\*1,242 more alerts since .*12:00.*\(severity:error\): 940 warnings, 302 errors\./,
    );
  });

  it('edits the summary at most every five seconds while it grows', async () => {
    const stage = await startDeliveryStage(database.db);
    for (let second = 0; second < 40; second += 1) {
      await stage.queue(alerts(100, { first: 1 + second * 100 }));
      await stage.run(1);
    }
    const edits = stage.slack.calls.filter(({ method }) => method === 'chat.update');
    expect(edits.length).toBeGreaterThanOrEqual(4);
    const times = edits.map(({ at }) => at.getTime());
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(5000);
    await stage.run(6);
    expect(summary(stage.texts())).toHaveLength(1);
    expect(stage.texts().at(-1)).toContain('*3,990 more alerts since');
    expect(stage.slack.messageRateOf('C0OPS00001').maxPerSecond).toBe(1);
  });

  it('closes the summary after two minutes without alerts, and posts single alerts again', async () => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue(alerts(12));
    await stage.run(30);
    expect(await stage.queue(alerts(1, { first: 13 }))).toEqual([
      { subject: 'watch-1:13', as: 'summary' },
    ]);
    await stage.run(119);
    expect(stage.texts().at(-1)).toMatch(/^\*3 more alerts since/);
    await stage.run(3);
    expect(stage.texts().at(-1)).toMatch(/^\*3 more alerts from .*12:00.* to .*12:00.*: 3 errors/);
    expect(await stage.queue(alerts(1, { first: 14 }))).toEqual([
      { subject: 'watch-1:14', as: 'message' },
    ]);
    await stage.run(2);
    expect(stage.texts().at(-1)).toBe('alert 14');
  });

  it('posts single alerts again after the storm, while the summary is still open', async () => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue(alerts(100));
    await stage.run(11);
    stage.wait(4000);
    const became: (string | undefined)[] = [];
    for (let index = 1; index <= 12; index += 1) {
      const [queued] = await stage.queue(alerts(1, { first: 100 + index }));
      became.push(queued?.as);
      stage.wait(15_000);
      await stage.deliver();
    }
    // Alerts within half a minute of the overflow are part of the storm.
    expect(became).toEqual(['summary', 'summary', ...Array(10).fill('message')]);
    await stage.run(2);
    expect(summary(stage.texts())).toEqual([expect.stringMatching(/^\*92 more alerts from/)]);
  });

  it('posts a counted alert that recurs after the storm without counting it again', async () => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue(alerts(12));
    const countedAt = stage.clock();
    const recurred = () =>
      alerts(1, { first: 12 }).map((one) =>
        one.group ? { ...one, group: { ...one.group, countedAt } } : one,
      );
    await stage.run(30);
    expect(await stage.queue(recurred())).toMatchObject([{ as: 'summary' }]);
    await stage.run(1);
    expect(await stage.queue(recurred())).toMatchObject([{ as: 'message' }]);
    await stage.run(125);
    expect(summary(stage.texts())).toEqual([expect.stringMatching(/^\*2 more alerts from/)]);
    expect(stage.texts().at(-1)).toBe('alert 12');
  });

  it('is one summary across polls', async () => {
    const stage = await startDeliveryStage(database.db);
    for (let poll = 0; poll < 8; poll += 1) {
      await stage.queue(alerts(40, { first: 1 + poll * 40 }));
      await stage.run(11);
      stage.wait(4000);
    }
    expect(stage.texts()).toHaveLength(11);
    expect(stage.texts().at(-1)).toMatch(/^\*310 more alerts since/);
  });

  it('starts a new summary every ten minutes during the storm', async () => {
    const stage = await startDeliveryStage(database.db);
    let counted = 0;
    for (let minute = 0; minute < 12; minute += 1) {
      const queued = await stage.queue(alerts(40, { first: 1 + minute * 40 }));
      counted += queued.filter(({ as }) => as === 'summary').length;
      for (let passed = 0; passed < 2; passed += 1) {
        stage.wait(30_000);
        await stage.deliver();
      }
    }
    await stage.run(10);
    stage.wait(120_000);
    await stage.run(2);
    const texts = summary(stage.texts());
    expect(texts).toHaveLength(2);
    for (const text of texts) expect(text).toMatch(/^\*[\d,]+ more alerts from/);
    const totals = texts.map((text) => Number(text.match(/[\d,]+/)?.[0].replace(',', '')));
    expect(totals.reduce((sum, total) => sum + total, 0)).toBe(counted);
  });

  it('starts a new summary for the next storm', async () => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue(alerts(12));
    await stage.run(140);
    await stage.queue(alerts(15, { first: 101 }));
    await stage.run(15);
    expect(summary(stage.texts())).toEqual([
      expect.stringContaining('2 more alerts from'),
      expect.stringContaining('5 more alerts since'),
    ]);
  });

  it('does not merge known subjects, other groups or messages without a group', async () => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue(alerts(20));
    const queued = await stage.queue([
      about('watch-1:3', 'alert 3, recurred', {
        group: { key: 'watch-1', title: 't', facet: 'error' },
      }),
      ...alerts(1, { key: 'watch-2' }),
      about('digest', 'plain'),
    ]);
    expect(queued.map(({ as }) => as)).toEqual(['message', 'message', 'message']);
    await stage.run(20);
    expect(stage.texts()).toContain('alert 3, recurred');
    expect(stage.texts().slice(-3)).toEqual([
      expect.stringContaining('10 more alerts'),
      'alert 1',
      'plain',
    ]);
  });

  it('does not merge a slow sequence, because only waiting messages count', async () => {
    const stage = await startDeliveryStage(database.db);
    for (let index = 1; index <= 30; index += 1) {
      await stage.queue(alerts(1, { first: index }));
      await stage.run(1);
    }
    expect(stage.texts()).toHaveLength(30);
    expect(summary(stage.texts())).toEqual([]);
  });

  it('posts messages between the summaries of many watches', async () => {
    const stage = await startDeliveryStage(database.db);
    const keys = Array.from({ length: 8 }, (_, index) => `watch-${index}`);
    for (const key of keys) await stage.queue(alerts(11, { key }));
    await stage.run(100);
    const before = stage.seen().length;
    await stage.queue(Array.from({ length: 20 }, (_, index) => about(`x${index}`, `x${index}`)));
    for (let second = 0; second < 40; second += 1) {
      const first = 100 + second * 11;
      if (second % 4 === 0) {
        for (const key of keys) await stage.queue(alerts(11, { key, first }));
      }
      await stage.run(1);
    }
    expect(stage.texts().filter((text) => text.startsWith('alert'))).toHaveLength(80);
    // All eight summaries are due at once; after that every second message is another one.
    expect(stage.seen().length - before).toBeGreaterThanOrEqual(15);
  });
});
