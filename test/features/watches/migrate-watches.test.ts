import { describe, expect, it } from 'vitest';
import { seconds, serviceAlert, shareWatching } from './poll-stage.ts';

const openWatching = shareWatching();

/** A watch of a connection that was replaced, and a watch in another channel on the new one. */
async function replaceConnection() {
  const given = await openWatching('documented');
  const { service, portal, queued } = given;
  const teamId = await given.connect();
  service.putAlert(portal.id, serviceAlert('known', seconds(-1)));
  const orphan = await given.setUp(teamId);
  await given.connect(teamId, portal.restrictedToken);
  const settled = await given.setUp(teamId, 'all', 'C2');
  const poller = given.startPoller();
  return {
    ...given,
    orphan,
    settled,
    raise: (id: string, at: Date) => service.putAlert(portal.id, serviceAlert(id, at)),
    /** Makes the service fail for lookups of single alerts, or stops that. */
    refuse: (status: number | undefined) =>
      service.setFault(status ? { kind: 'status', status } : undefined, {
        pathPrefix: '/alerts/individual/',
      }),
    poll: async () => {
      given.waitForNextPoll();
      await poller.poll.finish();
    },
    posted: (channelId: string) =>
      queued
        .filter(({ to }) => to.channelId === channelId)
        .map(({ subject, message }) =>
          subject.startsWith('watches:') ? message.text : subject.split(':').at(-1),
        ),
  };
}

it.each([400, 403, 405, 422])(
  'restarts a watch if the service responds %i to the lookup of a known alert',
  async (status) => {
    const { refuse, raise, poll, posted, store, orphan } = await replaceConnection();
    refuse(status);
    raise('there-before', seconds(1));
    await poll();
    expect(posted('C1')).toEqual([expect.stringContaining('start again')]);
    expect(posted('C2')).toEqual(['there-before']);
    raise('new-there', seconds(60));
    await poll();
    expect(posted('C1')).toEqual([expect.any(String), 'new-there']);
    expect(await store.find(orphan)).toMatchObject({ anchor: seconds(1) });
  },
);

it.each([503, 500, 401])(
  'resumes a watch after a temporary %i, without delaying other watches',
  async (status) => {
    const { refuse, raise, poll, posted } = await replaceConnection();
    refuse(status);
    raise('a1', seconds(1));
    await poll();
    raise('a2', seconds(2));
    await poll();
    expect(posted('C2')).toEqual(['a1', 'a2']);
    await poll();
    await poll();
    expect(posted('C1')).toEqual([expect.stringContaining("aren't receiving alerts right now")]);
    refuse(undefined);
    await poll();
    expect(posted('C1')).toEqual([
      expect.stringContaining("aren't receiving alerts right now"),
      expect.stringContaining('working again: the connection to the service was replaced'),
      expect.stringContaining('continue where they left off'),
      ...['a1', 'a2'],
    ]);
    expect(posted('C2').slice(0, 2)).toEqual(['a1', 'a2']);
  },
);

it('resumes a watch after an outage that ends with one failed lookup', async () => {
  const { service, refuse, raise, poll, posted } = await replaceConnection();
  service.setFault({ kind: 'status', status: 500 });
  for (let times = 0; times < 12; times += 1) await poll();
  raise('in-the-outage', seconds(1));
  refuse(500);
  await poll();
  refuse(undefined);
  await poll();
  await poll();
  expect(posted('C1')).toContain('in-the-outage');
  expect(posted('C1').join()).not.toContain('start again');
});

it('restarts a watch if the lookup of a known alert fails repeatedly with 500', async () => {
  const { refuse, raise, poll, posted } = await replaceConnection();
  refuse(500);
  for (let times = 0; times < 11; times += 1) await poll();
  raise('new-there', seconds(60));
  await poll();
  expect(posted('C1')).toContain('new-there');
  expect(posted('C1').join()).toContain('start again');
});

describe('while the lookup for orphaned watches fails', () => {
  it('only orphaned watches are listed as not up to date, and others advance', async () => {
    const { refuse, raise, poll, store, orphan, settled } = await replaceConnection();
    refuse(503);
    raise('a1', seconds(1));
    await poll();
    const [blind] = await store.list(orphan);
    expect(blind?.outage?.reason).toContain('returned a server error');
    const [seeing] = await store.list(settled);
    expect(seeing).toMatchObject({ highWater: seconds(1), outage: undefined });
  });

  it('other channels are warned only if their own watches fail too', async () => {
    const { service, refuse, poll, posted } = await replaceConnection();
    refuse(503);
    for (let times = 0; times < 4; times += 1) await poll();
    expect(posted('C2')).toEqual([]);
    service.setFault({ kind: 'status', status: 401 });
    for (let times = 0; times < 3; times += 1) await poll();
    expect(posted('C2')).toEqual([expect.stringContaining("aren't receiving alerts right now")]);
    expect(posted('C1')).toHaveLength(1);
  });

  it('the end of the warning does not say that everything was posted if watches restarted', async () => {
    const { refuse, raise, poll, posted } = await replaceConnection();
    refuse(503);
    for (let times = 0; times < 3; times += 1) await poll();
    raise('missed', seconds(1));
    refuse(403);
    for (let times = 0; times < 3; times += 1) await poll();
    expect(posted('C1')).toEqual([
      expect.stringContaining("aren't receiving alerts right now"),
      expect.stringContaining('working again: the connection to the service was replaced'),
      expect.stringContaining('start again'),
    ]);
  });
});
