import { expect, it, onTestFinished } from 'vitest';
import { startReferenceService } from '../../../../playground/service/start-service.ts';
import { callPortal, firstOf, testNow } from '../call-portal.ts';

async function openWithClock() {
  let time = testNow.getTime();
  const service = await startReferenceService({ now: testNow, clock: () => new Date(time) });
  onTestFinished(() => service.close());
  const portal = firstOf(service.portals);
  return {
    service,
    ask: (path = '/users/1') => callPortal(portal, path),
    askOther: () => callPortal(firstOf(service.portals.slice(1)), '/users'),
    pass: (ms: number) => {
      time += ms;
    },
  };
}

it('accepts the given number of requests a second in each portal', async () => {
  const { service, ask, askOther, pass } = await openWithClock();
  service.setFault({ kind: 'rate-limit', perSecond: 2 });
  expect((await ask()).status).toBe(200);
  pass(600);
  expect((await ask()).status).toBe(200);
  expect((await ask()).status).toBe(429);
  expect((await askOther()).status).toBe(200);
  pass(400);
  expect((await ask()).status).toBe(200);
  expect((await ask()).status).toBe(429);
});

it('counts only matching requests', async () => {
  const { service, ask } = await openWithClock();
  service.setFault({ kind: 'rate-limit', perSecond: 1 }, { pathPrefix: '/users' });
  for (const _ of [1, 2, 3]) expect((await ask('/alerts/individual')).status).toBe(200);
  expect((await ask()).status).toBe(200);
  expect((await ask()).status).toBe(429);
});

it('sends Retry-After in seconds, as a date or not at all', async () => {
  const { service, ask, pass } = await openWithClock();
  const waitAfter = async (retryAfter?: 'seconds' | 'date' | 'none') => {
    service.setFault({ kind: 'rate-limit', perSecond: 1, retryAfter });
    await ask();
    pass(300);
    return (await ask()).headers['retry-after'];
  };
  expect(await waitAfter()).toBe('1');
  expect(await waitAfter('date')).toBe('Sun, 01 Mar 2026 12:00:02 GMT');
  expect(await waitAfter('none')).toBeUndefined();
});
