import { subHours } from 'date-fns/subHours';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import { alerts, type DeliveryStage, startDeliveryStage, stores } from './stage.ts';

/** Alerts of a watch, raised evenly over the hours until now. */
function backlog(stage: DeliveryStage, count: number, hours: number) {
  const now = stage.clock();
  return alerts(count).map((one, index) => ({
    ...one,
    group: one.group && { ...one.group, raisedAt: subHours(now, (hours * (index + 1)) / count) },
  }));
}

/** The fallback text of a date, for clients that can't format it. */
const readable = (text = '') =>
  text.replaceAll(/<!date\^\d+\^([^|]*)\|[^ ]* ([^ ]*) UTC>/g, (_, format, time) =>
    format.includes('date') ? `(dated) ${time}` : time,
  );

describe.each(stores())('a summary of alerts with raised times, on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  const last = (stage: DeliveryStage) => readable(stage.texts().at(-1));

  it('shows when they were raised, not when they were counted', async () => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue(backlog(stage, 90, 9));
    await stage.run(12);
    expect(last(stage)).toMatch(
      /^\*80 more alerts, raised since 03:00\* \(severity:error\): 80 err/,
    );
    await stage.run(130);
    expect(last(stage)).toMatch(/^\*80 more alerts, raised from 03:00 to 10:54\*/);
  });

  it('shows the date when a time of day would be ambiguous', async () => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue(backlog(stage, 100, 100));
    await stage.run(140);
    expect(last(stage)).toMatch(/^\*90 more .*, raised from \(dated\) 08:00 to \(dated\) 01:00\*/);
  });

  it('shows the date when the summary is a day late', async () => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue(backlog(stage, 12, 1));
    stage.slack.failNext('chat.postMessage', { retryAfterSeconds: 72_000 });
    await stage.deliver();
    stage.wait(72_000_000);
    await stage.run(14);
    expect(last(stage)).toMatch(/raised from \(dated\) 11:00 to \(dated\) 11:05\* .*h late/);
  });

  it('shows a longer period as it grows', async () => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue(backlog(stage, 12, 2));
    await stage.queue(
      backlog(stage, 24, 4).map((one) => ({ ...one, subject: `2:${one.subject}` })),
    );
    await stage.run(140);
    expect(last(stage)).toMatch(/^\*26 more alerts, raised from 08:00 to 11:50\*/);
  });

  it.each([
    ['first', [0, 1, 2]],
    ['in between', [1, 0, 2]],
    ['last', [1, 2, 0]],
  ])('shows when alerts were counted if some have no raised time, %s', async (_, order) => {
    const stage = await startDeliveryStage(database.db);
    const parts = [
      alerts(12, { first: 101 }),
      backlog(stage, 12, 2),
      backlog(stage, 24, 4).map((one) => ({ ...one, subject: `2:${one.subject}` })),
    ];
    for (const index of order) await stage.queue(parts[index] ?? []);
    await stage.run(140);
    expect(last(stage)).toMatch(/^\*38 more alerts from 12:00 to 12:00\*/);
  });

  it('shows no raised time when one alert of a batch has none', async () => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue([...backlog(stage, 12, 2), ...alerts(1, { first: 101 })]);
    await stage.run(140);
    expect(last(stage)).toMatch(/^\*3 more alerts from 12:00 to 12:00\*/);
  });

  it('shows a single time for one alert, and never a future time', async () => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue(backlog(stage, 11, -11));
    await stage.run(140);
    expect(last(stage)).toMatch(/^\*1 more alert, raised at 12:00\*/);
  });
});
