import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actAs } from '../../../playground/act-as.ts';
import { people } from '../../../playground/people.ts';
import type { OpenDatabase } from '../../../src/storage/open-database.ts';
import { messagesOf } from '../../support/ask.ts';
import { about, alerts, ana, ben, ops, startDeliveryStage, stores } from './stage.ts';

describe.each(stores())('a channel out of reach, on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  async function startLosing() {
    const stage = await startDeliveryStage(database.db);
    const noticesOf = (person: string) =>
      messagesOf(actAs(stage.slack, person))
        .map(({ text }) => text)
        .filter((text) => text.includes('can no longer post'));
    const states = async () => {
      const rows = await database.db
        .selectFrom('delivery_message')
        .select('state')
        .where('channel_id', '=', ops)
        .where('team_id', '=', stage.teamId)
        .execute();
      return rows.map(({ state }) => state);
    };
    return { ...stage, noticesOf, states };
  }

  it('drops what waits there and tells each owner once how much', async () => {
    const stage = await startLosing();
    await stage.queue(alerts(30));
    await stage.queue([about('b', 'two')], { ownerSlackUserId: ben });
    stage.slack.failNext('chat.postMessage', 'is_archived');
    await stage.run(4);
    expect(stage.texts()).toEqual([]);
    expect(stage.noticesOf(people.ana)).toEqual([expect.stringContaining('30 messages for it')]);
    // Only what goes on there by being run.
    expect(stage.noticesOf(people.ana).join()).toContain('`/belay watch` there');
    expect(stage.noticesOf(people.ana).join()).not.toContain('/belay digest');
    expect(stage.noticesOf(people.ben)).toEqual([expect.stringContaining('1 message for it')]);
    expect(await stage.states()).toEqual(Array(11).fill('dropped'));
    const { teamId } = stage;
    expect(stage.lost).toEqual([
      { teamId, channelId: ops, ownerSlackUserId: ana },
      { teamId, channelId: ops, ownerSlackUserId: ben },
    ]);
    expect(stage.logged.join()).toContain('"dropped":31');
  });

  it('says no more about it until a message has arrived there again', async () => {
    const stage = await startLosing();
    const lose = async (subject: string) => {
      await stage.queue([about(subject, subject)]);
      stage.slack.failNext('chat.postMessage', 'not_in_channel');
      await stage.run(3);
    };
    await lose('a');
    await lose('b');
    expect(stage.noticesOf(people.ana)).toHaveLength(1);
    await stage.queue([about('a', 'back again')]);
    await stage.run(2);
    expect(stage.texts()).toEqual(['back again']);
    await lose('c');
    expect(stage.noticesOf(people.ana)).toHaveLength(2);
  });

  it('is noticed by an edit too', async () => {
    const stage = await startLosing();
    await stage.queue([about('a', 'one')]);
    await stage.deliver();
    await stage.queue([about('a', 'edited'), about('b', 'two')]);
    stage.slack.failNext('chat.update', 'channel_not_found');
    await stage.run(4);
    expect(stage.texts()).toEqual(['one']);
    expect(stage.noticesOf(people.ana)).toHaveLength(1);
  });

  it('that is a person who left ends there', async () => {
    const stage = await startLosing();
    const gone = 'U0NOBODY99';
    await stage.queue([about('a', 'one')], { channelId: gone, ownerSlackUserId: gone });
    await stage.run(3);
    expect(stage.lost).toHaveLength(1);
    expect(stage.slack.calls).toHaveLength(1);
  });
});
