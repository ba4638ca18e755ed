import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import { notice } from '../../../src/slack/ui/blocks.ts';
import { about, alerts, ops, random, startDeliveryStage, stores } from './stage.ts';

describe.each(stores())('failures of Slack on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  it('waits for Retry-After in that channel only', async () => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue([about('a', 'one'), about('b', 'two')]);
    stage.slack.failNext('chat.postMessage', { retryAfterSeconds: 30 });
    await stage.deliver();
    await stage.queue([about('a', 'elsewhere')], { channelId: random });
    await stage.run(29);
    expect([stage.texts(), stage.texts(random)]).toEqual([[], ['elsewhere']]);
    expect(stage.slack.calls).toHaveLength(2);
    await stage.run(2);
    expect(stage.texts()).toEqual(['one', 'two']);
  });

  it("pauses edits in all channels if they are rate-limited, because Slack's limit is per workspace", async () => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue([about('a', 'one')]);
    await stage.queue([about('a', 'one')], { channelId: random });
    await stage.deliver();
    await stage.queue([about('a', 'edited')]);
    stage.slack.failNext('chat.update', { retryAfterSeconds: 20 });
    await stage.run(1);
    await stage.queue([about('a', 'edited')], { channelId: random });
    await stage.run(19);
    expect([stage.texts(), stage.texts(random)]).toEqual([['one'], ['one']]);
    await stage.run(2);
    expect([stage.texts(), stage.texts(random)]).toEqual([['edited'], ['edited']]);
  });

  it('posts and replies while edits are rate-limited, except to a message with a waiting edit', async () => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue([about('a', 'one'), about('b', 'two')]);
    await stage.queue([about('a', 'one')], { channelId: random });
    await stage.run(2);
    stage.slack.failNext('chat.update', { retryAfterSeconds: 20 });
    await stage.queue([
      about('a', 'one, edited', { threadReply: notice('beneath one') }),
      about('c', 'three', { threadReply: notice('beneath three') }),
    ]);
    await stage.run(1);
    await stage.queue([about('b', 'two, edited')]);
    await stage.queue([about('a', 'edited'), about('b', 'new')], { channelId: random });
    await stage.run(5);
    expect(stage.texts()).toEqual(['one', 'two', 'three', 'beneath three']);
    expect(stage.texts(random)).toEqual(['one', 'new']);
    expect(stage.slack.calls.filter(({ method }) => method === 'chat.update')).toHaveLength(1);
    await stage.run(14);
    expect(stage.texts()).toContain('one');
    await stage.run(5);
    expect(stage.texts()).toEqual([
      ...['one, edited', 'two, edited', 'three', 'beneath three', 'beneath one'],
    ]);
    expect(stage.texts(random)).toEqual(['edited', 'new']);
    expect(stage.slack.messageRateOf(ops).maxPerSecond).toBe(1);
  });

  it('posts a summary but does not update it while edits are rate-limited', async () => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue([about('a', 'one')]);
    await stage.deliver();
    stage.slack.failNext('chat.update', { retryAfterSeconds: 40 });
    await stage.queue([about('a', 'edited')]);
    await stage.queue(alerts(12));
    await stage.run(14);
    expect(stage.texts().at(-1)).toContain('2 more alerts');
    await stage.queue(alerts(20, { first: 13 }));
    await stage.run(20);
    expect(stage.texts().at(-1)).toContain('2 more alerts');
    await stage.run(10);
    expect(stage.texts().at(-1)).toContain('22 more alerts');
    expect(stage.texts()[0]).toBe('edited');
  });

  it('retries with increasing delays after an outage, in the same order', async () => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue([about('a', 'one'), about('b', 'two')]);
    for (let index = 0; index < 8; index += 1) {
      stage.slack.failNext('chat.postMessage', { status: 503 });
    }
    await stage.run(240);
    // 1 + 2 + 4 + … + 60: eight attempts take about two minutes.
    const failed = stage.slack.calls.filter(({ result }) => !result.ok);
    expect(failed).toHaveLength(8);
    const times = failed.map(({ at }) => at.getTime());
    const gaps = times.slice(1).map((time, index) => (time - (times[index] ?? 0)) / 1000);
    expect(gaps).toEqual([1, 2, 4, 8, 16, 32, 60]);
    expect(stage.texts()).toEqual(['one (posted 3 min late)', 'two (posted 3 min late)']);
  });

  it('sends again if the response was lost, because a duplicate is better than a loss', async () => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue([about('a', 'one')]);
    stage.slack.failNext('chat.postMessage', { isAnswerLost: true });
    await stage.run(3);
    expect(stage.texts()).toEqual(['one', 'one']);
  });

  it('gives up a message that Slack refuses permanently, with its replies, and continues', async () => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue([about('a', 'one', { threadReply: notice('reply') }), about('b', 'two')]);
    stage.slack.failNext('chat.postMessage', 'invalid_blocks');
    await stage.run(4);
    expect(stage.texts()).toEqual(['two']);
    expect(stage.logged.join()).toContain('given up');
  });

  it.each(['restricted_action_thread_locked', 'restricted_action_non_threadable_channel'])(
    'gives up only a reply that its thread refuses (%s)',
    async (code) => {
      const stage = await startDeliveryStage(database.db);
      await stage.queue([about('a', 'one')]);
      await stage.deliver();
      stage.slack.failNext('chat.postMessage', code);
      await stage.queue([about('a', 'one, noted', { threadReply: notice('reply') })]);
      await stage.run(2);
      await stage.queue([about('b', 'two')]);
      await stage.run(2);
      expect(stage.texts()).toEqual(['one, noted', 'two']);
      expect(stage.logged.join()).toContain('given up');
      expect(stage.logged.join()).not.toContain('a channel is unreachable');
    },
  );

  it('retries a refusal that may be temporary for a quarter of an hour', async () => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue([about('a', 'one'), about('b', 'two')]);
    for (let index = 0; index < 20; index += 1) {
      stage.slack.failNext('chat.postMessage', 'some_new_error');
    }
    for (let minute = 0; minute < 21; minute += 1) {
      stage.wait(60_000);
      await stage.deliver();
    }
    expect(stage.texts()).toEqual(['two (posted 21 min late)']);
  });

  it('posts a deleted summary again when it grows', async () => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue(alerts(15));
    await stage.run(15);
    stage.slack.failNext('chat.update', 'message_not_found');
    await stage.queue(alerts(2, { first: 16 }));
    await stage.run(15);
    expect(stage.texts().slice(-2)).toEqual([
      expect.stringContaining('5 more alerts'),
      expect.stringContaining('7 more alerts'),
    ]);
  });

  it('posts a deleted message again, with its replies and in the same order', async () => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue([about('a', 'one')]);
    await stage.deliver();
    stage.slack.failNext('chat.update', 'message_not_found');
    await stage.queue([about('a', 'edited', { threadReply: notice('reply') }), about('b', 'two')]);
    await stage.run(5);
    const [, replacement] = stage.seen();
    expect(stage.seen().map(({ text, threadTs }) => [text, threadTs])).toEqual([
      ['one', undefined],
      ['edited', undefined],
      ['two', undefined],
      ['reply', replacement?.messageTs],
    ]);
    await stage.queue([about('a', 'edited again')]);
    await stage.run(1);
    expect(stage.texts()).toEqual(['one', 'edited again', 'two', 'reply']);
  });

  it.each(['cant_update_message', 'edit_window_closed'])(
    'posts a message again if it can no longer be edited (%s), and replies to the new one',
    async (code) => {
      const stage = await startDeliveryStage(database.db);
      await stage.queue([about('a', 'one')]);
      await stage.deliver();
      stage.slack.failNext('chat.update', code);
      await stage.queue([
        about('a', 'edited', { threadReply: notice('reply') }),
        about('b', 'two'),
      ]);
      await stage.run(5);
      const [, replacement] = stage.seen();
      expect(stage.seen().map(({ text, threadTs }) => [text, threadTs])).toEqual([
        ['one', undefined],
        ['edited', undefined],
        ['two', undefined],
        ['reply', replacement?.messageTs],
      ]);
    },
  );

  it("gives up a deleted message that can't be posted again", async () => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue([about('a', 'one')]);
    await stage.deliver();
    stage.slack.failNext('chat.update', 'message_not_found');
    stage.slack.failNext('chat.postMessage', 'message_not_found');
    await stage.queue([about('a', 'edited'), about('b', 'two')]);
    await stage.run(4);
    expect(stage.texts()).toEqual(['one', 'two']);
  });

  it('does not delay a channel while another one is unresponsive', async () => {
    const stage = await startDeliveryStage(database.db);
    const slow = stage.startDelivery();
    await stage.queue([about('a', 'one')]);
    stage.slack.failNext('chat.postMessage', { isAnswerLost: true });
    await slow.deliver.start();
    await stage.queue([about('a', 'elsewhere')], { channelId: random });
    await slow.deliver.start();
    await slow.deliver.stop();
    expect(stage.texts(random)).toEqual(['elsewhere']);
    expect(stage.slack.messageRateOf(ops).maxPerSecond).toBe(1);
  });
});
