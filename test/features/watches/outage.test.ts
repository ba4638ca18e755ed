import { expect, it } from 'vitest';
import { readAnchor } from '../../../src/features/watches/read-anchor.ts';
import { readOutage } from '../../../src/features/watches/store/alert-poll-lease.ts';
import { alertWatches } from '../../../src/features/watches/store/watch-kinds.ts';
import { seconds, serviceAlert, shareWatching } from './poll-stage.ts';

const openWatching = shareWatching();

async function watchOne() {
  const given = await openWatching('documented');
  const teamId = await given.connect();
  const watch = await given.setUp(teamId);
  const poller = given.startPoller();
  const poll = async () => {
    given.waitForNextPoll();
    await poller.poll.finish();
  };
  const raise = (id: string, at: Date) =>
    given.service.putAlert(given.portal.id, serviceAlert(id, at));
  const listed = async () => (await given.store.list({ teamId, channelId: 'C1' }))[0];
  return { ...given, teamId, watch, poller, poll, raise, listed };
}

it('warns once after three failures, shows the outage in the list, and posts when it is over', async () => {
  const { service, poll, queued, listed, raise } = await watchOne();
  service.setFault({ kind: 'status', status: 401 });
  raise('a1', seconds(1));
  await poll();
  expect(queued).toEqual([]);
  expect(await listed()).toMatchObject({
    outage: { reason: expect.stringContaining("didn't accept this workspace's API token") },
  });
  for (let times = 0; times < 4; times += 1) await poll();
  expect(queued).toHaveLength(1);
  expect(queued[0]?.message.text).toContain("aren't receiving alerts right now");
  const { subject } = queued[0] ?? {};

  service.setFault(undefined);
  await poll();
  expect(queued).toHaveLength(3);
  expect(queued[1]?.subject).toMatch(/:a1$/);
  expect(queued[2]).toMatchObject({
    subject,
    message: {
      text: expect.stringMatching(/working again\. Alerts missed from .* to .* are posted/),
    },
  });
  expect(await listed()).toMatchObject({ outage: undefined });
});

it('calls direct messages a conversation, when the outage begins and ends', async () => {
  const { service, poll, queued, setUp, teamId } = await watchOne();
  await setUp(teamId, 'all', 'D1');
  const said = () =>
    queued.map(({ to, message }) => {
      const [place] = /this (?:channel|conversation)/.exec(message.text) ?? [];
      return [to.channelId, place];
    });
  service.setFault({ kind: 'status', status: 401 });
  for (let times = 0; times < 3; times += 1) await poll();
  const places = [
    ['C1', 'this channel'],
    ['D1', 'this conversation'],
  ];
  expect(said().toSorted()).toEqual(places);
  queued.splice(0);
  service.setFault(undefined);
  await poll();
  expect(said().toSorted()).toEqual(places);
});

it('ends the warning in a channel whose watch was ended, and posts nothing in others', async () => {
  const { db, service, poll, queued, setUp, store, teamId, watch, now } = await watchOne();
  const readState = () => readOutage(db, { teamId, originId: watch.originId });
  service.setFault({ kind: 'status', status: 401 });
  for (let times = 0; times < 3; times += 1) await poll();
  expect(await readState()).toBeDefined();
  await store.end({ teamId, id: watch.id, by: 'U_ANA', at: now() });
  expect(await readState()).toBeUndefined();
  service.setFault(undefined);
  await setUp(teamId, 'all', 'C2');
  await poll();
  expect(queued).toMatchObject([
    {
      to: { channelId: 'C1' },
      message: {
        text: ':white_check_mark: Belay can read alerts again. The watches in this channel that were missing alerts have ended.',
      },
    },
  ]);
});

it('increases the delay after each failure', async () => {
  const { service, poll, poller } = await watchOne();
  service.setFault({ kind: 'status', status: 500 });
  for (let times = 0; times < 3; times += 1) await poll();
  const before = service.requests.length;
  await poller.poll.finish();
  expect(service.requests).toHaveLength(before);
});

it('resumes at the high-water mark with a new token for the same tenant', async () => {
  const { connect, teamId, portal, poll, raise, queued } = await watchOne();
  raise('while-refused', seconds(1));
  await connect(teamId, portal.restrictedToken);
  await poll();
  await poll();
  expect(queued.map(({ subject }) => subject.split(':').at(-1))).toContain('while-refused');
  expect(queued[0]?.message.text).toContain('continue where they left off');
});

it.each([
  ['the same', undefined, 'continue where they left off'],
  ['another', 'of-another-tenant', 'start again'],
])('ends the warning once a new token for %s tenant is used', async (_, known, posted) => {
  const { connect, db, teamId, portal, poll, service, queued, setUp } = await watchOne();
  await setUp(teamId, 'severity:error', 'C1');
  await setUp(teamId, 'all', 'C2');
  if (known) await db.updateTable('watch').set({ high_water_alert_id: known }).execute();
  service.setFault({ kind: 'status', status: 401 });
  for (let times = 0; times < 3; times += 1) await poll();
  expect(queued.map(({ to }) => to.channelId)).toEqual(['C1', 'C2']);
  const [warning] = queued;
  queued.length = 0;

  service.setFault(undefined);
  await connect(teamId, portal.restrictedToken);
  for (let times = 0; times < 3; times += 1) await poll();
  for (const channelId of ['C1', 'C2']) {
    expect(queued.filter(({ to }) => to.channelId === channelId)).toMatchObject([
      {
        subject: warning?.subject,
        message: {
          text: expect.stringContaining(
            'working again: the connection to the service was replaced',
          ),
        },
      },
      { message: { text: expect.stringContaining(posted) } },
    ]);
  }
  expect(queued).toHaveLength(4);
});

it('ends a warning only in the channels that were warned, and once', async () => {
  const { connect, teamId, portal, poll, service, queued, setUp } = await watchOne();
  service.setFault({ kind: 'status', status: 401 });
  for (let times = 0; times < 3; times += 1) await poll();
  service.setFault(undefined);
  await setUp(teamId, 'all', 'C2');
  await connect(teamId, portal.restrictedToken);
  await poll();
  expect(queued.map(({ to }) => to.channelId)).toEqual(['C1', 'C1', 'C2']);
  await connect(teamId, portal.token);
  await poll();
  expect(queued.slice(3).map(({ to }) => to.channelId)).toEqual(['C1', 'C2']);
});

it('restarts on another tenant without posting its existing alerts', async () => {
  const { connect, db, teamId, watch, portal, poll, raise, queued, store } = await watchOne();
  await db.updateTable('watch').set({ high_water_alert_id: 'of-another-tenant' }).execute();
  raise('there-before', seconds(30));
  await connect(teamId, portal.restrictedToken);
  await poll();
  await poll();
  expect(queued).toHaveLength(1);
  expect(queued[0]?.message.text).toContain('start again');
  raise('new-there', seconds(60));
  await poll();
  expect(queued.map(({ subject }) => subject.split(':').at(-1))).toContain('new-there');
  expect(await store.find(watch)).toMatchObject({ anchor: seconds(30) });
});

it('does not poll for a paused watch, and restarts it at the newest alert when it is resumed', async () => {
  const given = await watchOne();
  const { poll, raise, queued, teamId, db, store, service, openService, now } = given;
  await db.transaction().execute(async (trx) => {
    const why = { at: now(), reason: 'Belay was removed.' };
    await alertWatches.pause(trx, { teamId, channelId: 'C1' }, why);
  });
  raise('while-away', seconds(1));
  const before = service.requests.length;
  await poll();
  expect(service.requests).toHaveLength(before);
  expect(queued).toEqual([]);

  const opened = await openService(teamId);
  if (!opened) throw new Error('not connected');
  const anchor = await readAnchor(opened.client, now(), AbortSignal.timeout(5000));
  const { connectionId, originId } = opened;
  const channel = { teamId, channelId: 'C1', connectionId, originId, anchor, at: seconds(0) };
  expect(await store.resume(channel)).toBe(1);
  raise('back', seconds(2));
  await poll();
  expect(queued.map(({ subject }) => subject.split(':').at(-1))).toEqual(['back']);
});

it('does not say that everything was posted if a watch restarted during the outage', async () => {
  const given = await watchOne();
  const { poll, raise, queued, teamId, db, store, service, openService, now } = given;
  service.setFault({ kind: 'status', status: 401 });
  for (let times = 0; times < 3; times += 1) await poll();
  await db.transaction().execute(async (trx) => {
    const why = { at: now(), reason: 'Belay was removed.' };
    await alertWatches.pause(trx, { teamId, channelId: 'C1' }, why);
  });
  raise('while-away', now());
  service.setFault(undefined);
  const opened = await openService(teamId);
  if (!opened) throw new Error('not connected');
  const anchor = await readAnchor(opened.client, now(), AbortSignal.timeout(5000));
  const { connectionId, originId } = opened;
  await store.resume({ teamId, channelId: 'C1', connectionId, originId, anchor, at: now() });
  queued.length = 0;
  await poll();
  expect(queued).toMatchObject([
    { message: { text: expect.stringMatching(/working again.*Only some of the alerts missed/) } },
  ]);
});

it('stops during a walk without losing or repeating an alert', async () => {
  const given = await watchOne();
  for (let index = 0; index < 60; index += 1) given.raise(`a${index}`, seconds(index));
  const stopped = given.startPoller();
  let stopping: Promise<void> | undefined;
  given.onRequest((count) => {
    if (count === 3) stopping = stopped.poll.stop();
  });
  given.waitForNextPoll();
  await stopped.poll.finish();
  await stopping;
  expect(given.queued.length).toBeLessThan(60);
  given.onRequest(() => undefined);
  await given.poll();
  expect(given.queued.map(({ subject }) => subject)).toHaveLength(60);
  expect(new Set(given.queued.map(({ subject }) => subject)).size).toBe(60);
});

it('reads the list again if it shrank during the walk', async () => {
  const given = await openWatching('live');
  const teamId = await given.connect();
  const watch = await given.setUp(teamId);
  given.service.putAlert(given.portal.id, serviceAlert('a1', seconds(1)));
  const before = await given.store.find(watch);
  given.service.setFault({ kind: 'changing-list', change: 'remove' });
  for (let index = 0; index < 150; index += 1) {
    given.service.putAlert(given.portal.id, serviceAlert(`b${index}`, seconds(index + 2)));
  }
  given.waitForNextPoll();
  await given.startPoller().poll.finish();
  expect((await given.store.find(watch))?.highWater).toEqual(before?.highWater);
});
