import { expect, it } from 'vitest';
import type { ServiceConnection } from '../../../src/dataprotection/connection.ts';
import { createLimiters, type Priority } from '../../../src/dataprotection/http/limiter.ts';
import { errorOf } from '../local-server.ts';

const never = new AbortController().signal;
const interactive = { priority: 'interactive', signal: never } as const;

function connectionWith(token: string, requestsPerSecond = 100): ServiceConnection {
  return { baseUrl: 'http://127.0.0.1:9', dialect: 'documented', token, requestsPerSecond };
}

/** A task that runs until `end` is called. */
function openTask() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { run: () => promise, end: resolve };
}

it('limits the requests started in any second', async () => {
  const limiters = createLimiters({ secondMs: 500 });
  const limiter = limiters.limiterFor(connectionWith('a', 3));
  const at: number[] = [];
  await Promise.all(
    Array.from({ length: 8 }, () => limiter(async () => at.push(performance.now()), interactive)),
  );
  const spans = at.slice(3).map((moment, index) => moment - (at[index] ?? 0));
  // On a busy machine the recorded time can be later than the start.
  for (const span of spans) expect(span).toBeGreaterThanOrEqual(450);
});

it('runs interactive requests before background requests queued earlier', async () => {
  const limiter = createLimiters({ maxRunning: 1 }).limiterFor(connectionWith('a'));
  const first = openTask();
  const order: string[] = [];
  const record = (name: string, priority: Priority) =>
    limiter(async () => order.push(name), { priority, signal: never });
  const busy = limiter(first.run, interactive);
  const all = [
    record('digest 1', 'background'),
    record('digest 2', 'background'),
    record('search', 'interactive'),
  ];
  first.end();
  await Promise.all([busy, ...all]);
  expect(order).toEqual(['search', 'digest 1', 'digest 2']);
});

it('is shared by all clients of one organization only', async () => {
  const limiters = createLimiters({ maxRunning: 1 });
  const first = openTask();
  const busy = limiters.limiterFor(connectionWith('a'))(first.run, interactive);
  const sameUnit = { ...connectionWith('a'), organizationalUnitId: 'unit' };
  const order: string[] = [];
  const same = limiters.limiterFor(sameUnit)(async () => order.push('a'), interactive);
  await limiters.limiterFor(connectionWith('b'))(async () => order.push('b'), interactive);
  first.end();
  await Promise.all([busy, same]);
  expect(order).toEqual(['b', 'a']);
});

it('stops waiting when the signal is aborted, and frees the slot', async () => {
  const limiter = createLimiters({ maxRunning: 1 }).limiterFor(connectionWith('a'));
  const first = openTask();
  const busy = limiter(first.run, interactive);
  const controller = new AbortController();
  let ran = false;
  const aborted = errorOf(
    limiter(async () => (ran = true), { priority: 'interactive', signal: controller.signal }),
  );
  const next = limiter(async () => 'next', interactive);
  controller.abort('aborted');
  expect(await aborted).toBe('aborted');
  first.end();
  await busy;
  expect(await next).toBe('next');
  expect(ran).toBe(false);
});

it('does not interrupt a running task when its signal is aborted', async () => {
  const limiter = createLimiters().limiterFor(connectionWith('a'));
  const controller = new AbortController();
  const { promise, resolve } = Promise.withResolvers<string>();
  const result = limiter(() => promise, { priority: 'interactive', signal: controller.signal });
  controller.abort('aborted');
  resolve('sent already');
  expect(await result).toBe('sent already');
});

it('drops the limiters of organizations without requests', async () => {
  const limiters = createLimiters({ idleMs: 20, secondMs: 20 });
  await limiters.limiterFor(connectionWith('a'))(async () => 1, interactive);
  await limiters.limiterFor(connectionWith('b'))(async () => 1, interactive);
  expect(limiters.size()).toBe(2);
  await expect.poll(() => limiters.size()).toBe(0);
});

it('sends nothing while the share is 0, and follows a share that changes', async () => {
  let [share, asked] = [0, 0];
  const shareOf = () => {
    asked += 1;
    return share;
  };
  const limiters = createLimiters({ secondMs: 200, shareOf });
  const limiter = limiters.limiterFor(connectionWith('a'));
  const at: number[] = [];
  const all = Array.from({ length: 3 }, () =>
    limiter(async () => at.push(performance.now()), interactive),
  );
  await expect.poll(() => asked).toBeGreaterThan(all.length + 1);
  expect(at).toEqual([]);
  share = 2;
  await Promise.all(all);
  const [first = 0, second = 0, third = 0] = at;
  expect(second - first).toBeLessThan(150);
  expect(third - first).toBeGreaterThanOrEqual(180);
});
