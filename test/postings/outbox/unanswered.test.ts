import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiFault } from '../../../playground/slack/web-api/faults.ts';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import { notice } from '../../../src/slack/ui/blocks.ts';
import { about, alerts, type DeliveryStage, ops, startDeliveryStage, stores } from './stage.ts';

describe.each(stores())('messages that Slack accepts without an answer, on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  function loseAnswers(stage: DeliveryStage, method: string, times: number) {
    for (let index = 0; index < times; index += 1) {
      stage.slack.failNext(method, { isAnswerLost: true });
    }
  }

  async function runMinutes(stage: DeliveryStage, minutes: number) {
    for (let step = 0; step < minutes * 4; step += 1) {
      stage.wait(15_000);
      await stage.deliver();
    }
  }

  const secondsBetween = (stage: DeliveryStage, method: string) => {
    const times = stage.slack.calls.filter((call) => call.method === method).map(({ at }) => at);
    return times
      .slice(1)
      .map((at, index) => (at.getTime() - (times[index]?.getTime() ?? 0)) / 1000);
  };

  it('are posted again a few times, then every ten minutes', async () => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue([about('a', 'one'), about('b', 'two')]);
    loseAnswers(stage, 'chat.postMessage', 6);
    await runMinutes(stage, 60);
    expect(secondsBetween(stage, 'chat.postMessage')).toEqual([15, 30, 30, 30, 600, 600, 15]);
    const copies = stage.texts().map((text) => text.replace(/ \(posted .* late\)$/, ''));
    expect(copies).toEqual([...Array(7).fill('one'), 'two']);
    await stage.queue([about('c', 'three'), about('d', 'four')]);
    await stage.run(2);
    expect(stage.texts().slice(-2)).toEqual(['three', 'four']);
  });

  it.each<[string, ApiFault]>([
    ...['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout'].map(
      (error): [string, ApiFault] => [error, { error, afterActing: true }],
    ),
    ['HTTP 500', { status: 500, afterActing: true }],
    ['HTTP 502', { status: 502, afterActing: true }],
  ])('include messages for which Slack returns %s after posting', async (_, fault) => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue([about('a', 'one')]);
    for (let index = 0; index < 3; index += 1) stage.slack.failNext('chat.postMessage', fault);
    await runMinutes(stage, 60);
    expect(secondsBetween(stage, 'chat.postMessage')).toEqual([15, 30, 30]);
    expect(stage.texts()).toHaveLength(4);
  });

  it('do not include edits, which are retried at the usual intervals', async () => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue([about('a', 'one')]);
    await stage.deliver();
    await stage.queue([about('a', 'edited')]);
    for (let index = 0; index < 4; index += 1) {
      stage.slack.failNext('chat.update', { error: 'fatal_error', afterActing: true });
    }
    await stage.run(20);
    expect(secondsBetween(stage, 'chat.update')).toEqual([1, 2, 4, 8]);
    expect(stage.texts()).toEqual(['edited']);
  });

  it('are retried at the same intervals even if edits in between succeed', async () => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue([about('a', 'one')]);
    await stage.deliver();
    await stage.queue([about('b', 'two')]);
    loseAnswers(stage, 'chat.postMessage', 6);
    for (let round = 0; round < 160; round += 1) {
      await stage.queue([about('a', `one, ${round}`)]);
      await runMinutes(stage, 0.25);
    }
    expect(stage.texts().filter((text) => text.startsWith('two')).length).toBeLessThanOrEqual(7);
    expect(secondsBetween(stage, 'chat.postMessage').filter((gap) => gap >= 600)).toHaveLength(2);
  });

  it('include replies and summaries', async () => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue([about('a', 'one')]);
    await stage.deliver();
    await stage.queue([about('a', 'one, noted', { threadReply: notice('reply') })]);
    loseAnswers(stage, 'chat.postMessage', 3);
    await runMinutes(stage, 30);
    expect(stage.texts().filter((text) => text.startsWith('reply'))).toHaveLength(4);
    await stage.queue(alerts(12));
    await stage.run(10);
    loseAnswers(stage, 'chat.postMessage', 3);
    await runMinutes(stage, 30);
    expect(stage.texts().filter((text) => text.startsWith('*2 more'))).toHaveLength(4);
    expect(
      secondsBetween(stage, 'chat.postMessage').filter((gap) => gap === 30).length,
    ).toBeGreaterThanOrEqual(4);
    expect(stage.slack.messageRateOf(ops).maxPerSecond).toBe(1);
  });

  it('do not include repeated edits, which are retried without a longer delay', async () => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue([about('a', 'one')]);
    await stage.deliver();
    await stage.queue([about('a', 'edited')]);
    loseAnswers(stage, 'chat.update', 5);
    await stage.run(40);
    expect(secondsBetween(stage, 'chat.update')).toEqual([1, 2, 4, 8, 16]);
    expect(stage.texts()).toEqual(['edited']);
  });
});
