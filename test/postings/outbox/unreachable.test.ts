import { addMinutes } from 'date-fns/addMinutes';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { actAs } from '../../../playground/act-as.ts';
import { people } from '../../../playground/people.ts';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import { serveAll } from '../../../src/database/served-teams.ts';
import { watchOutboxHandlers } from '../../../src/features/watches/store/watch-kinds.ts';
import { unreachableMessage } from '../../../src/postings/outbox/loss-messages.ts';
import { createOutboxStore } from '../../../src/postings/outbox/store/outbox-store.ts';
import { messagesOf } from '../../support/ask.ts';
import { about, alerts, ana, ben, ops, startDeliveryStage, stores } from './stage.ts';
import { watchesIn } from './watch-rows.ts';

const { cleo } = people;
const gone = 'U0NOBODY99';

const watch = { noun: 'watch', plural: 'watches', command: '/belay watch' };
const digest = { noun: 'digest', plural: 'digests', command: '/belay digest' };

test.each([
  [[{ ...digest, count: 1 }], 'Your digest in this channel is paused.', ', then `/belay digest`.'],
  [
    [
      { ...watch, count: 1 },
      { ...digest, count: 2 },
    ],
    'Your watch and your 2 digests in this channel are paused.',
    'run `/invite @Belay` in the channel, then `/belay watch` and `/belay digest`.',
  ],
])('describes what is paused of %o', (paused, what, commands) => {
  const { text } = unreachableMessage('C1', { dropped: 0, paused });
  expect(text).toContain(what);
  expect(text).toContain(commands);
});

describe.each(stores())('an unreachable channel on $name', ({ open }) => {
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
        .filter((text) => text.includes("can't post in <#"));
    const states = async () => {
      const rows = await database.db
        .selectFrom('delivery_message')
        .select('state')
        .where('channel_id', '=', ops)
        .where('team_id', '=', stage.teamId)
        .execute();
      return rows.map(({ state }) => state);
    };
    return { ...stage, noticesOf, states, watches: watchesIn(database.db) };
  }

  it('drops waiting messages and notifies each owner once of their number', async () => {
    const stage = await startLosing();
    const { teamId, watches } = stage;
    await watches.add({ teamId, createdBy: ana });
    await stage.queue(alerts(30));
    await stage.queue([about('b', 'two')], { ownerSlackUserId: ben });
    stage.slack.failNext('chat.postMessage', 'is_archived');
    await stage.run(4);
    expect(stage.texts()).toEqual([]);
    expect(stage.noticesOf(people.ana)).toEqual([
      expect.stringContaining('30 messages for this channel'),
    ]);
    // Only the commands of what was paused there.
    expect(stage.noticesOf(people.ana).join()).toContain('`/belay watch`');
    expect(stage.noticesOf(people.ana).join()).not.toContain('/belay digest');
    expect(stage.noticesOf(people.ben)).toEqual([
      expect.stringContaining('1 message for this channel'),
    ]);
    expect(await stage.states()).toEqual(Array(11).fill('dropped'));
    expect(stage.noticesOf(people.ben).join()).not.toContain('/belay watch');
    expect(await watches.pausedBy(teamId)).toEqual([ana]);
    expect(stage.logged.join()).toContain('"dropped":31');
  });

  it('counts only alerts of a posted summary that its message does not show', async () => {
    const stage = await startLosing();
    await stage.queue(alerts(1000));
    await stage.run(12);
    expect(stage.texts().at(-1)).toContain('*990 more alerts');
    await stage.queue([about('a', 'one')]);
    stage.slack.failNext('chat.postMessage', 'is_archived');
    await stage.run(3);
    expect(stage.noticesOf(people.ana)).toEqual([
      expect.stringContaining("1 message for this channel wasn't delivered."),
    ]);
    await stage.queue([about('b', 'back again')]);
    await stage.queue(alerts(15, { first: 2001, key: 'watch-2' }));
    await stage.run(14);
    await stage.queue(alerts(20, { first: 2016, key: 'watch-2' }));
    stage.slack.failNext('chat.update', 'is_archived');
    await stage.run(6);
    expect(stage.noticesOf(people.ana).slice(1)).toEqual([
      expect.stringContaining("20 messages for this channel weren't delivered."),
    ]);
  });

  it('notifies the owner of a dropped edit, but does not count it as a message', async () => {
    const stage = await startLosing();
    await stage.queue([about('a', 'one'), about('b', 'two')]);
    await stage.run(2);
    await stage.queue([about('a', 'edited'), about('b', 'edited')]);
    stage.slack.failNext('chat.update', 'is_archived');
    await stage.run(3);
    expect(stage.noticesOf(people.ana)).toEqual([expect.stringContaining("can't post in")]);
    expect(stage.noticesOf(people.ana).join()).not.toContain('delivered');
  });

  it('notifies everyone who created a watch there, even if no message was waiting', async () => {
    const stage = await startLosing();
    const { teamId, watches } = stage;
    for (const createdBy of [ben, ben, ana]) await watches.add({ teamId, createdBy });
    await watches.add({ teamId, createdBy: cleo, channelId: 'C_OTHER' });
    await stage.queue([about('a', 'one')]);
    stage.slack.failNext('chat.postMessage', 'is_archived');
    await stage.run(4);
    expect(stage.noticesOf(people.ana)).toEqual([
      expect.stringMatching(
        /1 message for this channel wasn't delivered\.\nYour watch in this channel is paused/,
      ),
    ]);
    const [notice = '', ...more] = stage.noticesOf(people.ben);
    expect(more).toEqual([]);
    expect(notice).toContain('Your 2 watches in this channel are paused');
    expect(notice).not.toContain('delivered');
    expect(stage.noticesOf(people.cleo)).toEqual([]);
    expect(await watches.pausedBy(teamId)).toEqual([ana, ben, ben]);
  });

  it('notifies again if a watch was resumed meanwhile, even if nothing was posted', async () => {
    const stage = await startLosing();
    const { teamId, watches } = stage;
    await watches.add({ teamId, createdBy: ben });
    for (const subject of ['a', 'b', 'c']) {
      await stage.queue([about(subject, subject)]);
      stage.slack.failNext('chat.postMessage', 'not_in_channel');
      await stage.run(3);
      // The second time the watch is still paused.
      if (subject === 'b') await watches.resume(teamId);
    }
    expect(stage.noticesOf(people.ben)).toHaveLength(2);
    expect(stage.noticesOf(people.ana)).toHaveLength(1);
  });

  it("notifies in the order of user ids, so that two unreachable channels can't deadlock", async () => {
    const stage = await startLosing();
    await stage.queue([about('b', 'two')], { ownerSlackUserId: ben });
    await stage.queue([about('a', 'one')]);
    await stage.watches.add({ teamId: stage.teamId, createdBy: cleo });
    stage.slack.failNext('chat.postMessage', 'is_archived');
    await stage.deliver();
    const rows = await database.db
      .selectFrom('delivery_message')
      .select('channel_id')
      .where('team_id', '=', stage.teamId)
      .where('subject', 'like', 'unreachable:%')
      .orderBy('id')
      .execute();
    expect(rows.map((row) => row.channel_id)).toEqual([ana, ben, cleo]);
  });

  it('pauses, drops and notifies in one transaction', async () => {
    const stage = await startLosing();
    const { teamId, watches } = stage;
    await watches.add({ teamId, createdBy: ana });
    await stage.queue([about('a', 'one')]);
    const onMessagesDropped = async () => {
      throw new Error('the process died');
    };
    const handlers = [watchOutboxHandlers, { onMessagesDropped }];
    const store = createOutboxStore(database.db, handlers, serveAll);
    const at = stage.clock();
    const claim = { holder: 'h', at, until: addMinutes(at, 1) };
    const [channel] = await store.leaseChannels(claim, 1);
    if (!channel) throw new Error('nothing was claimed');
    await expect(store.abandon(channel, 'unreachable', at)).rejects.toThrow('died');
    expect(await watches.pausedBy(teamId)).toEqual([]);
    expect(await stage.states()).toEqual(['queued']);
  });

  it('does not notify again until a message has been posted there', async () => {
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

  it('is also detected by an edit', async () => {
    const stage = await startLosing();
    await stage.queue([about('a', 'one')]);
    await stage.deliver();
    await stage.queue([about('a', 'edited'), about('b', 'two')]);
    stage.slack.failNext('chat.update', 'channel_not_found');
    await stage.run(4);
    expect(stage.texts()).toEqual(['one']);
    expect(stage.noticesOf(people.ana)).toHaveLength(1);
  });

  it.each([
    ['of their own', gone],
    ['of somebody else', ana],
  ])('notifies nobody of a message %s to a deactivated person', async (_, owner) => {
    const stage = await startLosing();
    await stage.queue([about('a', 'one')], { channelId: gone, ownerSlackUserId: owner });
    await stage.run(3);
    expect(stage.logged.filter((line) => line.includes('a channel is unreachable'))).toHaveLength(
      1,
    );
    expect(stage.slack.calls).toHaveLength(1);
  });
});
