import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import { notice } from '../../../src/slack/ui/blocks.ts';
import { about, ops, startDeliveryStage, stores } from './stage.ts';

describe.each(stores())('with a backlog of hundreds of edits, on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  it('posts new messages within seconds, and each edit before its reply', async () => {
    const stage = await startDeliveryStage(database.db);
    const names = Array.from({ length: 15 }, (_, index) => `alert ${index}`);
    await stage.queue(names.map((name) => about(name, name)));
    await stage.run(15);
    const clears = names.map((name) =>
      about(name, `${name}, cleared`, { threadReply: notice(`reply to ${name}`) }),
    );
    await stage.queue(clears);
    await stage.run(4);
    await stage.queue(['new', 'newer', 'newest'].map((name) => about(name, name)));
    await stage.run(9);
    const fresh = stage.texts().filter((text) => text.startsWith('new'));
    expect(fresh).toEqual(['new', 'newer', 'newest']);
    await stage.run(24);
    const said = stage.slack.calls.map(({ arguments: given }) => String(given.text));
    for (const name of names) {
      const edited = said.findIndex((text) => text.startsWith(`${name}, cleared`));
      const replied = said.findIndex((text) => text.startsWith(`reply to ${name}`));
      expect([edited, replied - edited > 0]).toEqual([expect.any(Number), true]);
      expect(edited).toBeGreaterThan(0);
    }
    expect(stage.slack.messageRateOf(ops).maxPerSecond).toBe(1);
  });
});
