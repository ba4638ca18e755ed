import { describe, expect, it } from 'vitest';
import { seconds, serviceAlert, shareWatching } from './poll-stage.ts';

const openWatching = shareWatching();

describe.each(['documented', 'live'] as const)('new alerts on the %s dialect', (dialect) => {
  async function watchAll(pageSize: number) {
    const given = await openWatching(dialect, { pageSize });
    await given.setUp(await given.connect());
    const poller = given.startPoller();
    let raised = 0;
    return {
      ...given,
      raise(count: number) {
        for (let times = 0; times < count; times += 1) {
          raised += 1;
          given.service.putAlert(given.portal.id, serviceAlert(`a${raised}`, seconds(raised)));
        }
      },
      poll: async () => {
        given.waitForNextPoll();
        await poller.poll.finish();
      },
      posted: () =>
        given.queued
          .map(({ subject }) => subject.split(':').at(-1) ?? '')
          .filter((name) => /^a\d+$/.test(name)),
    };
  }

  it('are posted in the order in which they were raised, across page boundaries', async () => {
    const { raise, poll, posted } = await watchAll(20);
    for (let round = 0; round < 14; round += 1) {
      raise(3);
      await poll();
    }
    expect(posted()).toEqual(Array.from({ length: 42 }, (_, index) => `a${index + 1}`));
  });

  it('are posted in order over a few pages, and page by page if there are many', async () => {
    const { raise, poll, posted, onRequest } = await watchAll(5);
    raise(17);
    await poll();
    expect(posted()).toEqual(Array.from({ length: 17 }, (_, index) => `a${index + 1}`));
    raise(100);
    const postedAt: number[] = [];
    onRequest(() => {
      postedAt.push(posted().length);
    });
    await poll();
    expect(new Set(posted()).size).toBe(117);
    expect(posted()).toHaveLength(117);
    expect(postedAt.at(-1)).toBeGreaterThan(50);
    expect(posted().slice(17, 22)).not.toContain('a117');
  });

  it('are posted once even if a walk fails before it reaches them', async () => {
    const { raise, poll, posted, onRequest, service } = await watchAll(5);
    raise(17);
    onRequest((count) => {
      if (count === 4) service.setFault({ kind: 'status', status: 500 });
    });
    await poll();
    const seen = posted();
    expect(seen).toContain('a17');
    expect(seen).toEqual(seen.toSorted((a, b) => Number(a.slice(1)) - Number(b.slice(1))));
    service.setFault(undefined);
    onRequest(() => undefined);
    await poll();
    expect(new Set(posted()).size).toBe(17);
    expect(posted()).toHaveLength(17);
  });
});
