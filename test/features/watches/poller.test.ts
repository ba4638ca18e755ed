import { expect, it } from 'vitest';
import { seconds, serviceAlert, shareWatching } from './poll-stage.ts';

const openWatching = shareWatching();

it('starts other polls while a long walk runs', async () => {
  const timings = { maxPolls: 1, longWalkMs: 20, maxLongWalks: 1 };
  const given = await openWatching('live', { timings });
  const { service, portal, queued, onRequest, startPoller, waitForNextPoll } = given;
  for (let times = 0; times < 3; times += 1) await given.setUp(await given.connect());
  service.putAlert(portal.id, serviceAlert('a1', seconds(1)));
  const unblock = Promise.withResolvers<void>();
  let requests = 0;
  onRequest(() => {
    requests += 1;
    return requests === 1 ? unblock.promise : undefined;
  });
  const poller = startPoller();
  waitForNextPoll();
  const polled = poller.poll();
  await expect.poll(() => queued.length).toBe(2);
  unblock.resolve();
  await polled;
  expect(new Set(queued.map(({ to }) => to.teamId)).size).toBe(3);
  expect(queued).toHaveLength(3);
});

it('limits the number of long walks', async () => {
  const timings = { maxPolls: 1, longWalkMs: 20, maxLongWalks: 1 };
  const given = await openWatching('live', { timings });
  for (let times = 0; times < 4; times += 1) await given.setUp(await given.connect());
  const unblock = Promise.withResolvers<void>();
  let underWay = 0;
  let max = 0;
  given.onRequest(async () => {
    underWay += 1;
    max = Math.max(max, underWay);
    if (underWay === 2) setTimeout(unblock.resolve, 10 * timings.longWalkMs);
    await unblock.promise;
    underWay -= 1;
  });
  given.waitForNextPoll();
  await given.startPoller().poll();
  expect(max).toBe(2);
});
