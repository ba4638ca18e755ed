import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiFault } from '../../../playground/slack/web-api/faults.ts';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import { notice } from '../../../src/slack/ui/blocks.ts';
import { about, alerts, type DeliveryStage, startDeliveryStage, stores } from './stage.ts';

describe.each(stores())('edits that keep failing on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  const failEdits = (stage: DeliveryStage, times: number, fault: ApiFault = 'internal_error') => {
    for (let index = 0; index < times; index += 1) stage.slack.failNext('chat.update', fault);
  };

  const editsOf = (stage: DeliveryStage) =>
    stage.slack.calls.filter(({ method }) => method === 'chat.update');

  it.each<[string, ApiFault]>([
    ['internal_error', 'internal_error'],
    ['HTTP 503', { status: 503 }],
    ['a refusal without a known reason', 'some_new_error'],
  ])('do not delay new messages (%s)', async (_, fault) => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue([about('a', 'one')]);
    await stage.deliver();
    failEdits(stage, 1000, fault);
    await stage.queue([about('a', 'one, cleared', { threadReply: notice('beneath one') })]);
    await stage.run(120);
    await stage.queue([about('b', 'two', { threadReply: notice('beneath two') })]);
    await stage.run(3);
    expect(stage.texts()).toEqual(['one', 'two', 'beneath two']);
    // 1 + 2 + 4 + … + 60, even though other messages were posted meanwhile.
    expect(editsOf(stage)).toHaveLength(7);
    await stage.queue([about('c', 'three')]);
    await stage.run(60);
    expect(stage.texts()).toEqual(['one', 'two', 'beneath two', 'three']);
    expect(editsOf(stage)).toHaveLength(8);
  });

  it('are made when Slack accepts them, followed by their replies', async () => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue([about('a', 'one')]);
    await stage.deliver();
    failEdits(stage, 7);
    await stage.queue([about('a', 'one, cleared', { threadReply: notice('beneath one') })]);
    await stage.queue([about('b', 'two')]);
    await stage.run(130);
    expect(stage.texts().map((text) => text.replace(/ \(.* late\)$/, ''))).toEqual([
      ...['one, cleared', 'two', 'beneath one'],
    ]);
    failEdits(stage, 1);
    await stage.queue([about('a', 'one, back')]);
    await stage.run(4);
    expect(stage.texts()[0]).toBe('one, back');
  });

  it('let edits of other messages go first', async () => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue([about('a', 'one'), about('b', 'two'), about('c', 'three')]);
    await stage.run(3);
    failEdits(stage, 1);
    await stage.queue(['a', 'b', 'c'].map((subject) => about(subject, `${subject}, edited`)));
    await stage.run(3);
    const [a, b, c] = stage.seen().map(({ messageTs }) => messageTs);
    await stage.run(2);
    expect(editsOf(stage).map((call) => call.arguments.ts)).toEqual([a, b, c, a]);
    expect(stage.texts()).toEqual(['a, edited', 'b, edited', 'c, edited']);
  });

  it('do not prevent edits of other messages if they fail one by one', async () => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue([about('a', 'one'), about('b', 'two')]);
    await stage.run(2);
    failEdits(stage, 5);
    await stage.queue([about('a', 'one, edited')]);
    await stage.run(20);
    expect(editsOf(stage)).toHaveLength(5);
    await stage.queue([about('b', 'two, edited')]);
    await stage.run(13);
    expect(stage.texts()).toEqual(['one, edited', 'two, edited']);
  });

  it('do not delay new messages if they are updates of a summary', async () => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue([about('a', 'one'), ...alerts(12)]);
    await stage.run(15);
    failEdits(stage, 7);
    await stage.queue(alerts(20, { first: 13 }));
    await stage.run(60);
    await stage.queue([about('b', 'two'), about('a', 'one, edited')]);
    await stage.run(2);
    expect(stage.texts().at(-1)).toBe('two');
    await stage.run(75);
    expect(stage.texts()[0]).toContain('one, edited');
    expect(stage.texts().at(-2)).toContain('22 more alerts');
  });
});
