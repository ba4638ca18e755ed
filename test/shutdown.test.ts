import { expect, it } from 'vitest';
import { createLogger } from '../src/logger.ts';
import { shutDown } from '../src/shutdown.ts';
import { startWorld } from './support/world.ts';

function listen() {
  const lines: string[] = [];
  return { lines, log: createLogger('info', { write: (line) => void lines.push(line) }) };
}

const never = () => new Promise<void>(() => undefined);

it('runs every stage in order, the ones after a failure or a stage that hangs too', async () => {
  const { lines, log } = listen();
  const stopped: string[] = [];
  const stages = [
    { name: 'hangs', until: 0.4, stop: never },
    { name: 'fails', until: 0.6, stop: () => Promise.reject(new Error('no database')) },
    { name: 'last', until: 1, stop: async () => stopped.push('last') },
  ];
  expect(await shutDown(stages, { deadlineMs: 100, log })).toBe(false);
  expect(stopped).toEqual(['last']);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/"stage":"hangs".*did not stop in time/);
  expect(lines[1]).toMatch(/"stage":"fails".*no database/);
});

it('gives a stage the time that those before it did not need', async () => {
  const { log } = listen();
  let remainingMs = 0;
  const stages = [
    { name: 'quick', until: 0.5, stop: async () => undefined },
    {
      name: 'next',
      until: 1,
      stop: async (ms: number) => {
        remainingMs = ms;
      },
    },
  ];
  expect(await shutDown(stages, { deadlineMs: 1000, log })).toBe(true);
  expect(remainingMs).toBeGreaterThan(800);
});

it('logs a failure that comes after its time, instead of leaving it unhandled', async () => {
  const { lines, log } = listen();
  const { promise, reject } = Promise.withResolvers<void>();
  const stages = [{ name: 'late', until: 1, stop: () => promise }];
  expect(await shutDown(stages, { deadlineMs: 10, log })).toBe(false);
  reject(new Error('too late'));
  await Promise.allSettled([promise]);
  expect(lines.at(-1)).toContain('too late');
});

it('stops within its time while a listener waits for the service', async () => {
  const { ana, belay, service, logged } = await startWorld({ stopMs: 1000 });
  service.setFault({ kind: 'slow', delayMs: 8000 }, { times: 1 });
  const asked = service.requests.length;
  expect(await ana.send('ops', '/belay users ana')).toEqual({ result: 'ok' });
  await expect.poll(() => service.requests.length).toBeGreaterThan(asked);
  const since = performance.now();
  expect(await belay.stop()).toBe(false);
  expect(performance.now() - since).toBeLessThan(7000);
  expect(logged.join()).toMatch(/"stage":"listeners".*did not stop in time/);
});
