import { describe, expect, it } from 'vitest';
import type { Timings } from '../../../src/features/watches/timings.ts';
import { seconds, serviceAlert, shareWatching } from './poll-stage.ts';

const openWatching = shareWatching();

/** A backlog of 60 alerts on pages of two. */
async function startWithBacklog(timings: Partial<Timings> = {}) {
  const given = await openWatching('documented', { pageSize: 2, timings });
  const watch = await given.setUp(await given.connect());
  for (let index = 0; index < 60; index += 1) {
    given.service.putAlert(given.portal.id, serviceAlert(`a${index}`, seconds(index)));
  }
  const poll = async (poller = given.startPoller()) => {
    given.waitForNextPoll();
    await poller.poll.finish();
  };
  const posted = () => given.queued.map(({ subject }) => subject.split(':').at(-1));
  return { ...given, watch, poll, posted };
}

describe('a walk through a long backlog', () => {
  it('reads to the end if each page arrives in time, even if the whole list takes long', async () => {
    const { service, poll, posted, store, watch } = await startWithBacklog({ pageTimeoutMs: 2000 });
    service.setFault({ kind: 'slow', delayMs: 80 });
    const before = performance.now();
    await poll();
    expect(performance.now() - before).toBeGreaterThan(2000);
    expect(new Set(posted()).size).toBe(60);
    expect(posted()).toHaveLength(60);
    expect(await store.find(watch)).toMatchObject({ highWater: seconds(59) });
  });

  it('stops at a page that does not arrive, and posts the pages before it', async () => {
    const { service, onRequest, startPoller, poll, posted, queued } = await startWithBacklog();
    // Only the walks that are meant to stop: on a busy machine a page may take longer than this.
    const impatient = () => startPoller({ pageTimeoutMs: 500 });
    onRequest((count) => {
      if (count === 15) service.setFault({ kind: 'hang' });
    });
    for (let times = 0; times < 3; times += 1) {
      service.setFault(undefined);
      await poll(impatient());
    }
    const alerts = posted().filter((name) => name?.startsWith('a'));
    expect(alerts.length).toBeGreaterThan(0);
    expect(new Set(alerts).size).toBe(alerts.length);
    const warning = queued.find(({ subject }) => subject.startsWith('watches:trouble'));
    expect(warning?.message.text).toContain('are missing some alerts right now');
    expect(warning?.message.text).toContain('took too long to respond');

    onRequest(() => undefined);
    service.setFault(undefined);
    await poll();
    expect(new Set(posted().filter((name) => name?.startsWith('a'))).size).toBe(60);
    expect(queued.at(-1)).toMatchObject({
      subject: warning?.subject,
      message: { text: expect.stringContaining('working again') },
    });
  });

  it('stops immediately, and the next walk neither loses nor repeats alerts', async () => {
    const { onRequest, startPoller, poll, posted } = await startWithBacklog();
    const stopped = startPoller();
    let stopping: Promise<void> | undefined;
    onRequest((count) => {
      if (count === 15) stopping = stopped.poll.stop();
    });
    await poll(stopped);
    await stopping;
    expect(posted().length).toBeGreaterThan(0);
    expect(posted().length).toBeLessThan(30);
    onRequest(() => undefined);
    await poll();
    expect(posted()).toHaveLength(60);
    expect(new Set(posted()).size).toBe(60);
  });

  it('is taken over from a hanging process, which then records nothing', async () => {
    const { onRequest, startPoller, waitForNextPoll, poll, posted } = await startWithBacklog();
    const [reached, unblock] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    onRequest(async (count) => {
      if (count !== 15) return;
      onRequest(() => undefined);
      reached.resolve();
      await unblock.promise;
    });
    waitForNextPoll();
    const hanging = startPoller().poll.finish();
    await reached.promise;
    await poll();
    expect(posted()).toHaveLength(60);
    unblock.resolve();
    await hanging;
    expect(posted()).toHaveLength(60);
    expect(new Set(posted()).size).toBe(60);
  });

  it('renews its lease while pages arrive, even slow or empty ones', async () => {
    const { onRequest, polls, now, tick, poll, posted, service, portal } = await startWithBacklog();
    for (let index = 0; index < 20; index += 1) {
      const undated = serviceAlert(`undated-${index}`, seconds(70), { updated_timestamp: 'today' });
      service.putAlert(portal.id, undated);
    }
    const claims: unknown[][] = [];
    onRequest(async () => {
      if (claims.length === 30) return;
      tick(25_000);
      claims.push(await polls.leaseDue({ holder: 'other', at: now(), until: now() }, 1));
    });
    await poll();
    expect(claims.length).toBe(30);
    expect(claims.flat()).toEqual([]);
    expect(posted()).toHaveLength(60);
  });
});
