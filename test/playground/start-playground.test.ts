import { expect, it } from 'vitest';
import { createAdjustableClock } from '../../playground/adjustable-clock.ts';
import { alertsPath, policiesPath } from '../../playground/controls/protocol.ts';
import { startWorld } from '../support/world.ts';

it.each(['documented', 'live'] as const)(
  'connects Belay to the service in the %s dialect',
  async (dialect) => {
    const { service, ana } = await startWorld({ dialect });
    expect(service.dialect).toBe(dialect);
    await ana.send('ops', '/belay users silva');
    await ana.seeMessage('Ana Silva');
    const { headers } = service.requests.find(({ path }) => path.startsWith('/users')) ?? {};
    const vendor = { documented: 'api.service.', live: 'api.clumio.' }[dialect];
    expect(headers?.accept).toContain(vendor);
  },
);

it('posts what is changed with the controls within seconds', async () => {
  const adjustableClock = createAdjustableClock();
  const { slack, service, ana, cleo } = await startWorld({
    adjustableClock,
    intervals: { pollWatches: 500, observePolicies: 500 },
    env: { BELAY_POLICY_READ_MINUTES: '1' },
    tokenOwner: 'zoe.fischer@example.com',
    page: (_request, response) => void response.end(),
  });
  const wait = { timeout: 10_000 };
  const isList = (path: string) => /^\/policies\/definitions(\?|$)/.test(path);
  const change = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const options = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`${slack.url}${path}`, options);
    return String((await response.json()).said);
  };
  await ana.send('ops', '/belay watch all');
  await ana.seeMessage('added a watch to this channel');
  await ana.send('ops', '/belay watch policies');
  await ana.seeMessage('Policy changes made outside Belay are posted');
  // What the policies are compared with.
  await expect.poll(() => service.requests.some(({ path }) => isList(path)), wait).toBe(true);

  const [, entity = ''] = /, (\S+) \(/.exec(
    await change(alertsPath, { change: 'raise', count: 1 }),
  ) ?? ['', 'nothing'];
  const raisedAt = performance.now();
  await ana.seeMessage(entity);
  expect(performance.now() - raisedAt).toBeLessThan(5000);

  await change(policiesPath, { change: 'retention' });
  await ana.seeMessage(/outside Belay.*Silver|Silver.*outside Belay/s);

  // Signed requests may be five minutes old at most.
  adjustableClock.moveBy(10 * 60_000);
  await cleo.send('ops', '/belay connection');
  await cleo.seeMessage('Token owner: zoe.fischer@example.com');
});
