import { addSeconds } from 'date-fns/addSeconds';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import { serveAll } from '../../../src/database/served-teams.ts';
import { createOutboxStore } from '../../../src/postings/outbox/store/outbox-store.ts';
import { notice } from '../../../src/slack/ui/blocks.ts';
import { about, startDeliveryStage, stores } from './stage.ts';

describe.each(stores())('replies to messages that change often, on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  const waitingReplies = () =>
    database.db
      .selectFrom('delivery_message')
      .select('message')
      .where('state', '=', 'queued')
      .where('reply_to', 'is not', null)
      .orderBy('position')
      .execute();

  it('are merged into one reply for each message, without losing a line', async () => {
    const stage = await startDeliveryStage(database.db);
    const names = Array.from({ length: 20 }, (_, index) => `a${index}`);
    await stage.queue(names.map((name) => about(name, name)));
    await stage.run(20);
    for (let round = 0; round < 15; round += 1) {
      const change = (name: string) =>
        about(name, `${name}, ${round}`, { threadReply: notice(`${name} is ${round} now`) });
      await stage.queue(names.map(change));
      await stage.run(5);
      expect((await waitingReplies()).length).toBeLessThanOrEqual(20);
    }
    // Replies are posted even though the messages change continuously.
    expect(stage.seen().filter(({ threadTs }) => threadTs).length).toBeGreaterThan(20);
    await stage.run(45);
    const replies = stage.seen().filter(({ threadTs }) => threadTs);
    for (const { text, messageTs } of stage.seen().filter(({ threadTs }) => !threadTs)) {
      const [name, last] = text.split(', ');
      expect(last).toMatch(/^14/);
      const lines = replies
        .filter(({ threadTs }) => threadTs === messageTs)
        .flatMap((reply) => reply.text.replace(/ \(posted .* late\)$/, '').split('\n'));
      expect(lines).toEqual(Array.from({ length: 15 }, (_, round) => `${name} is ${round} now`));
    }
  });

  it('are not merged with a reply that is being sent', async () => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue([about('a', 'one')]);
    await stage.deliver();
    const change = (text: string) => stage.queue([about('a', text, { threadReply: notice(text) })]);
    await change('first');
    await stage.run(1);
    const store = createOutboxStore(database.db, [], serveAll);
    const at = addSeconds(stage.clock(), 1);
    const [channel] = await store.leaseChannels(
      { holder: 'slow', at, until: addSeconds(at, 30) },
      1,
    );
    if (!channel) throw new Error('nothing was due');
    const { reply } = await store.readQueue(channel);
    if (!reply) throw new Error('no reply waits');
    await change('second');
    await change('third');
    expect((await waitingReplies()).map(({ message }) => message?.text)).toEqual([
      'first',
      'second\nthird',
    ]);
    const posted = { channelId: channel.channelId, messageTs: '1.000001' };
    await store.recordMessage(channel, { message: reply, posted, at, readyAt: at });
    await stage.run(4);
    expect(stage.texts()).toEqual(['third', 'second\nthird']);
  });
});
