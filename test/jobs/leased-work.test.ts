import { expect, it } from 'vitest';
import { createDueWork, type DueWorkLimits } from '../../src/jobs/due-work.ts';

type Item = { key: string; teamId: string };

/** Rows that are leased until they were worked on. The work on each waits for `end`. */
function openLeases(
  count: number,
  limits?: Partial<DueWorkLimits>,
  { leasesAfterEach = false } = {},
) {
  const due = Array.from({ length: count }, (_, index) => ({ key: `${index}`, teamId: 'T1' }));
  const started: string[] = [];
  const working = new Map<string, PromiseWithResolvers<void>>();
  const asked: number[] = [];
  const active: string[][] = [];
  const failed: string[] = [];
  const problems: Error[] = [];
  const blocked: Promise<void>[] = [];
  let prepared = 0;
  const dueWork = createDueWork<Item>({
    limits,
    leasesAfterEach,
    async prepare() {
      prepared += 1;
    },
    async lease(limit, items) {
      asked.push(limit);
      active.push(items.map(({ key }) => key));
      const leased = due.splice(0, limit);
      await blocked.shift();
      const problem = problems.shift();
      if (problem) throw problem;
      return leased;
    },
    async work({ key }) {
      started.push(key);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      working.set(key, { promise, resolve, reject });
      await promise.finally(() => working.delete(key));
    },
    onFailed: ({ key }, error) => failed.push(`${key} ${error instanceof Error ? error.name : ''}`),
  });
  return {
    ...dueWork,
    due,
    started,
    asked,
    active,
    failed,
    problems,
    blocked,
    prepared: () => prepared,
    working: () => [...working.keys()],
    end: (key: string) => working.get(key)?.resolve(),
    fail: (key: string) => working.get(key)?.reject(new Error('the service is down')),
    endAll: () => {
      for (const { resolve } of working.values()) resolve();
    },
  };
}

it('leases only as much as there is room for, and more as soon as there is room', async () => {
  const { start, finish, asked, active, working, end, endAll, prepared } = openLeases(5, {
    maxConcurrent: 3,
  });
  await start();
  expect(asked).toEqual([3]);
  expect(working()).toEqual(['0', '1', '2']);
  await start();
  // There is no room.
  expect(asked).toEqual([3]);
  end('1');
  await expect.poll(working).toEqual(['0', '2', '3']);
  expect(asked).toEqual([3, 1]);
  expect(active[1]?.toSorted()).toEqual(['0', '2']);
  endAll();
  await expect.poll(working).toEqual(['4']);
  endAll();
  await finish();
  expect(prepared()).toBe(3);
  expect(working()).toEqual([]);
});

it('leases no more if there was room for more than it found, until the next start', async () => {
  const { start, stop, due, asked, working, end } = openLeases(1, { maxConcurrent: 3 });
  await start();
  due.push({ key: 'new', teamId: 'T1' });
  end('0');
  await expect.poll(working).toEqual([]);
  await new Promise(setImmediate);
  expect(asked).toEqual([3]);
  await start();
  expect(working()).toEqual(['new']);
  end('new');
  await stop();
});

it('leases more after each item if its end can let another be leased', async () => {
  const { start, stop, due, asked, working, end, endAll } = openLeases(
    2,
    { maxConcurrent: 3 },
    { leasesAfterEach: true },
  );
  await start();
  due.push({ key: 'next', teamId: 'T1' });
  end('0');
  await expect.poll(working).toEqual(['1', 'next']);
  expect(asked).toEqual([3, 2]);
  endAll();
  await expect.poll(() => asked.length).toBeGreaterThan(2);
  await stop();
});

it('does what was leased although it has failed meanwhile to lease more, and says so in the next start', async () => {
  const { start, stop, due, asked, problems, working, end, endAll } = openLeases(2, {
    maxConcurrent: 1,
  });
  await start();
  problems.push(new Error('the database is down'), new Error('the database is down'));
  end('0');
  await expect.poll(() => asked).toHaveLength(2);
  await expect(start()).rejects.toThrow('the database is down');
  due.push({ key: 'new', teamId: 'T1' });
  await start();
  expect(working()).toEqual(['new']);
  endAll();
  await stop();
});

it('leases a limited number from one start to the next, and everything in `finish`', async () => {
  const { start, finish, asked, working, end, endAll } = openLeases(10, {
    maxConcurrent: 2,
    maxPerLook: 3,
  });
  await start();
  end('0');
  await expect.poll(working).toEqual(['1', '2']);
  endAll();
  await expect.poll(working).toEqual([]);
  expect(asked).toEqual([2, 1]);
  await start();
  expect(working()).toEqual(['3', '4']);
  endAll();
  const finished = finish();
  for (const keys of [['5', '6'], ['7', '8'], ['9']]) {
    await expect.poll(working).toEqual(keys);
    endAll();
  }
  expect(await finished).toBe(5);
});

it('leaves what failed to the next lease', async () => {
  const { start, stop, asked, working, failed, fail } = openLeases(1);
  await start();
  fail('0');
  await expect.poll(() => failed).toEqual(['0 Error']);
  await start();
  expect(asked).toHaveLength(2);
  expect(working()).toEqual([]);
  await stop();
});

it('gives up the room of as many of those that take long as may run at once', async () => {
  const { start, stop, working, failed, endAll, end } = openLeases(4, {
    maxConcurrent: 1,
    limitMs: 20,
  });
  await start();
  await expect.poll(working).toEqual(['0', '1']);
  await expect.poll(() => failed).toEqual(['0 TooSlowError', '1 TooSlowError']);
  await new Promise(setImmediate);
  expect(working()).toEqual(['0', '1']);
  end('1');
  await expect.poll(working).toEqual(['0', '2']);
  endAll();
  await expect.poll(working).toEqual(['3']);
  endAll();
  await stop();
});

it('works, when it is stopped, on what is just being leased, and leases nothing more', async () => {
  const { start, stop, blocked, asked, working, endAll } = openLeases(3, { maxConcurrent: 2 });
  const leasing = Promise.withResolvers<void>();
  blocked.push(leasing.promise);
  const started = start();
  await expect.poll(() => asked).toEqual([2]);
  let isStopped = false;
  const stopping = stop().then(() => {
    isStopped = true;
  });
  leasing.resolve();
  await started;
  expect(working()).toEqual(['0', '1']);
  expect(isStopped).toBe(false);
  endAll();
  await stopping;
  await start();
  expect(working()).toEqual([]);
  expect(asked).toEqual([2]);
});
