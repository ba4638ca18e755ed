import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import { notice } from '../../../src/slack/ui/blocks.ts';
import { about, random, startDeliveryStage, stores } from './stage.ts';

describe.each(stores())('queued messages on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  it('are posted in order, one a second in a channel', async () => {
    const stage = await startDeliveryStage(database.db);
    const queued = await stage.queue([about('a', 'one'), about('b', 'two')]);
    expect(queued).toEqual([
      { subject: 'a', as: 'message' },
      { subject: 'b', as: 'message' },
    ]);
    await stage.queue([about('c', 'three')]);
    await stage.deliver();
    await stage.deliver();
    expect(stage.texts()).toEqual(['one']);
    stage.wait(999);
    await stage.deliver();
    expect(stage.texts()).toEqual(['one']);
    stage.wait(1);
    await stage.deliver();
    await stage.run(3);
    expect(stage.texts()).toEqual(['one', 'two', 'three']);
    expect(stage.slack.messageRateOf('C0OPS00001')).toMatchObject({ written: 3, maxPerSecond: 1 });
  });

  it('do not delay another channel', async () => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue([about('a', 'one'), about('b', 'two')]);
    await stage.queue([about('a', 'elsewhere')], { channelId: random });
    await stage.deliver();
    expect([stage.texts(), stage.texts(random)]).toEqual([['one'], ['elsewhere']]);
  });

  it('replace a waiting message about the same subject', async () => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue([about('a', 'one'), about('b', 'old'), about('c', 'three')]);
    await stage.queue([about('b', 'newer')]);
    await stage.queue([about('b', 'newest'), about('d', 'four')]);
    await stage.run(6);
    expect(stage.texts()).toEqual(['one', 'newest', 'three', 'four']);
  });

  it('are reduced to the last one for each subject in a batch', async () => {
    const stage = await startDeliveryStage(database.db);
    const queued = await stage.queue([
      about('a', 'old'),
      about('b', 'two'),
      about('a', 'new', { threadReply: notice('and more') }),
    ]);
    expect(queued.map(({ subject }) => subject)).toEqual(['a', 'b']);
    await stage.run(4);
    expect(stage.texts()).toEqual(['new', 'two', 'and more']);
  });

  it('edit the posted message about the same subject, once for all waiting changes', async () => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue([about('a', 'one')]);
    await stage.deliver();
    await stage.queue([about('b', 'two'), about('a', 'one, recurred')]);
    await stage.queue([about('a', 'one, cleared')]);
    await stage.run(5);
    expect(stage.texts()).toEqual(['one, cleared', 'two']);
    const edits = stage.slack.calls.filter(({ method }) => method === 'chat.update');
    expect(edits).toHaveLength(1);
    expect(stage.slack.messageRateOf('C0OPS00001')).toMatchObject({ written: 3, maxPerSecond: 1 });
  });

  it('have their replies posted in the thread, after the message or edit', async () => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue([
      about('a', 'one', { threadReply: notice('first reply') }),
      about('b', 'two'),
    ]);
    await stage.run(4);
    await stage.queue([about('a', 'one, noted', { threadReply: notice('second reply') })]);
    await stage.run(3);
    expect(stage.texts()).toEqual(['one, noted', 'two', 'first reply', 'second reply']);
    const [parent, , ...replies] = stage.seen();
    expect(replies.map(({ threadTs }) => threadTs)).toEqual([parent?.messageTs, parent?.messageTs]);
    const methods = stage.slack.calls.map(({ method }) => method.replace('chat.', ''));
    expect(methods).toEqual(['postMessage', 'postMessage', 'postMessage', 'update', 'postMessage']);
  });

  it('are marked if they are late', async () => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue([about('a', 'one')]);
    stage.wait(190_000);
    await stage.deliver();
    await stage.queue([about('a', 'one, cleared')]);
    expect(stage.texts()).toEqual(['one (posted 3 min late)']);
    await stage.run(1);
    expect(stage.texts()).toEqual(['one, cleared']);
  });

  it('are pruned after a month, and then posted as new messages', async () => {
    const stage = await startDeliveryStage(database.db);
    const delivery = stage.startDelivery();
    await stage.queue([about('a', 'one', { threadReply: notice('reply') })]);
    await stage.run(2);
    stage.wait(29 * 24 * 3_600_000);
    await delivery.prune();
    await stage.queue([about('a', 'one, edited')]);
    await stage.deliver();
    stage.wait(31 * 24 * 3_600_000);
    await delivery.prune();
    await stage.queue([about('a', 'one, again')]);
    await stage.deliver();
    expect(stage.texts()).toEqual(['one, edited', 'reply', 'one, again']);
  });

  it('are stored for 400 days if they belong to a group, because they may be edited', async () => {
    const stage = await startDeliveryStage(database.db);
    const delivery = stage.startDelivery();
    const day = 24 * 3_600_000;
    const group = { key: 'watch-1', title: 'all', facet: 'error' };
    await stage.queue([about('a', 'one', { group, threadReply: notice('reply') })]);
    await stage.run(2);
    stage.wait(399 * day);
    await delivery.prune();
    await stage.queue([about('a', 'one, cleared', { group })]);
    await stage.deliver();
    expect(stage.texts()).toEqual(['one, cleared', 'reply']);
    stage.wait(401 * day);
    await delivery.prune();
    await stage.queue([about('a', 'one, again', { group })]);
    await stage.deliver();
    expect(stage.texts()).toEqual(['one, cleared', 'reply', 'one, again']);
  });
});
