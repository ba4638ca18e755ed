import { describe, expect, it } from 'vitest';
import { type Queued, seconds, serviceAlert, shareWatching } from './poll-stage.ts';

const openWatching = shareWatching();

/** The messages about one alert, in order. */
function messagesAbout({ queued }: { queued: Queued[] }, id: string) {
  return queued.filter(({ subject }) => subject.endsWith(`:${id}`));
}

describe.each(['documented', 'live'] as const)('a watch on the %s dialect', (dialect) => {
  async function watchAll(filter = 'all') {
    const given = await openWatching(dialect);
    const teamId = await given.connect();
    const watch = await given.setUp(teamId, filter);
    const poller = given.startPoller();
    const put = (...[id, at, changes]: Parameters<typeof serviceAlert>) =>
      given.service.putAlert(given.portal.id, serviceAlert(id, at, changes));
    const poll = async () => {
      given.waitForNextPoll();
      await poller.poll.finish();
    };
    return { ...given, teamId, watch, poll, put };
  }

  it('posts no alerts from before the watch', async () => {
    const { poll, queued } = await watchAll();
    await poll();
    await poll();
    expect(queued).toEqual([]);
  });

  it("posts a new alert once in the watch's channel, on behalf of its creator", async () => {
    const given = await watchAll();
    given.put('a1', seconds(1));
    await given.poll();
    await given.poll();
    expect(given.queued).toHaveLength(1);
    expect(given.queued[0]).toMatchObject({
      to: { teamId: given.teamId, channelId: 'C1', ownerSlackUserId: 'U_ANA' },
      subject: `watch:${given.watch.id}:a1`,
      group: { key: given.watch.id, facet: expect.stringMatching(/^error\n/) },
    });
    expect(given.queued[0]?.message.text).toContain('volume a1');
    expect(await given.store.find(given.watch)).toMatchObject({ postedCount: 1, countedCount: 0 });
  });

  it('edits its message when it recurs, without a reply', async () => {
    const given = await watchAll();
    given.put('a1', seconds(1));
    await given.poll();
    given.put('a1', seconds(60), { raised_timestamp: seconds(1).toISOString(), raised_count: 4 });
    await given.poll();
    const [, edit, ...more] = messagesAbout(given, 'a1');
    expect(more).toEqual([]);
    expect(edit?.message.text).toContain('raised 4 times');
    expect(edit).toMatchObject({ threadReply: undefined });
    expect(edit).not.toHaveProperty('group');
  });

  it('replies with an escaped note and when the alert is cleared', async () => {
    const given = await watchAll();
    const raised_timestamp = seconds(1).toISOString();
    given.put('a1', seconds(1));
    await given.poll();
    given.put('a1', seconds(20), { raised_timestamp, notes: '<!channel>\nlook' });
    await given.poll();
    const cleared_timestamp = seconds(40).toISOString();
    const cleared = { status: 'cleared', cleared_timestamp, notes: '<!channel>\nlook' };
    given.put('a1', seconds(40), { raised_timestamp, ...cleared });
    await given.poll();
    const replies = messagesAbout(given, 'a1').map(({ threadReply }) => threadReply?.text);
    expect(replies).toEqual([
      undefined,
      'Note: “&lt;!channel&gt; look”',
      expect.stringMatching(/^:white_check_mark: Cleared · <!date\^\d+\^/),
    ]);
    given.put('a1', seconds(60), { raised_timestamp, raised_count: 2, notes: cleared.notes });
    await given.poll();
    expect(messagesAbout(given, 'a1').at(-1)?.threadReply?.text).toBe(
      'Raised again, 2 times so far',
    );
  });

  it('posts an alert that was cleared before it could be posted', async () => {
    const given = await watchAll();
    const cleared_timestamp = seconds(2).toISOString();
    given.put('a1', seconds(1), { status: 'cleared', cleared_timestamp });
    await given.poll();
    expect(messagesAbout(given, 'a1')[0]?.message.text).toContain('Cleared ');
  });

  it('posts an old alert when it recurs, not when it is cleared', async () => {
    const given = await openWatching(dialect);
    const day = 86_400;
    for (const id of ['old', 'older']) {
      given.service.putAlert(given.portal.id, serviceAlert(id, seconds(-day)));
    }
    const teamId = await given.connect();
    await given.setUp(teamId);
    const raised_timestamp = seconds(-day).toISOString();
    given.service.putAlert(
      given.portal.id,
      serviceAlert('old', seconds(5), { raised_timestamp, raised_count: 2 }),
    );
    const cleared = { status: 'cleared', cleared_timestamp: seconds(6).toISOString() };
    given.service.putAlert(
      given.portal.id,
      serviceAlert('older', seconds(6), { raised_timestamp, ...cleared }),
    );
    await given.startPoller().poll.finish();
    expect(given.queued.map(({ subject }) => subject.split(':').at(-1))).toEqual(['old']);
  });

  it('posts alerts that match its filter, and updates them after they no longer match', async () => {
    const given = await watchAll('severity:error policy:gold');
    const parent_entity = { id: 'p1', type: 'policy', value: 'Gold' };
    given.put('meant', seconds(1), { parent_entity });
    given.put('mild', seconds(2), { parent_entity, severity: 'warning' });
    given.put('other', seconds(3));
    await given.poll();
    expect(given.queued.map(({ subject }) => subject.split(':').at(-1))).toEqual(['meant']);
    const raised_timestamp = seconds(1).toISOString();
    given.put('meant', seconds(9), { raised_timestamp, parent_entity, severity: 'warning' });
    await given.poll();
    expect(messagesAbout(given, 'meant')[1]?.threadReply?.text).toBe(
      'Severity changed from error to warning',
    );
  });

  it('reads many pages and posts each page oldest first', async () => {
    const given = await watchAll();
    for (let index = 0; index < 250; index += 1) given.put(`a${index}`, seconds(index));
    await given.poll();
    await given.poll();
    expect(given.queued).toHaveLength(250);
    expect(new Set(given.queued.map(({ subject }) => subject)).size).toBe(250);
    const order = given.queued.slice(0, 3).map(({ subject }) => Number(subject.split(':a').at(-1)));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  it('reads the service once for several channels', async () => {
    const given = await watchAll();
    await given.setUp(given.teamId, 'severity:error', 'C2');
    await given.setUp(given.teamId, 'all', 'D_ANA');
    given.put('a1', seconds(1));
    const before = given.service.requests.length;
    await given.poll();
    expect(given.queued.map(({ to }) => to.channelId).toSorted()).toEqual(['C1', 'C2', 'D_ANA']);
    expect(given.service.requests.length - before).toBeLessThanOrEqual(3);
  });

  it('polls once every 15 seconds with any number of processes', async () => {
    const given = await watchAll();
    await given.poll();
    const before = given.service.requests.length;
    await Promise.all([1, 2, 3].map(() => given.startPoller().poll.finish()));
    expect(given.service.requests).toHaveLength(before);
    given.waitForNextPoll();
    given.put('a1', seconds(1));
    await Promise.all([1, 2, 3].map(() => given.startPoller().poll.finish()));
    expect(given.queued).toHaveLength(1);
  });
});
