import { expect, it, vi } from 'vitest';
import { createDueWork, type DueWorkLimits } from '../../src/jobs/due-work.ts';

type Item = { key: string; teamId: string };

/** Rows that are due until they were worked on. `hold` keeps the work on an item from ending. */
function openStore(limits?: Partial<DueWorkLimits>) {
  const due = new Map<string, Item>();
  const failing = new Set<string>();
  const stillDue = new Set<string>();
  const held = new Map<string, PromiseWithResolvers<void>>();
  const started: string[] = [];
  const failed: string[] = [];
  let finds = 0;
  const dueWork = createDueWork<Item>({
    limits,
    retry: { firstMs: 1000, lastMs: 10_000 },
    async find(limit) {
      finds += 1;
      return [...due.values()].slice(0, limit);
    },
    key: ({ key }) => key,
    async work({ key }) {
      started.push(key);
      await held.get(key)?.promise;
      if (failing.has(key)) throw new Error('the service is down');
      if (!stillDue.delete(key)) due.delete(key);
    },
    async onFailed({ key }, error) {
      failed.push(`${key} ${error instanceof Error ? error.name : ''}`);
    },
  });
  const makeDue = (key: string, teamId = 'T1') => {
    const item = { key, teamId };
    due.set(key, item);
    return item;
  };
  const hold = (key: string) => {
    held.set(key, Promise.withResolvers());
    return makeDue(key);
  };
  const release = (key: string) => {
    held.get(key)?.resolve();
    held.delete(key);
  };
  return {
    ...dueWork,
    due,
    failing,
    stillDue,
    started,
    failed,
    makeDue,
    hold,
    release,
    finds: () => finds,
  };
}

it('does what is due once, and at once what is added', async () => {
  const { makeDue, add, finish, stop, started } = openStore();
  makeDue('one');
  await finish();
  await finish();
  expect(started).toEqual(['one']);
  add([makeDue('two')]);
  expect(started).toEqual(['one', 'two']);
  await stop();
});

it('looks once more, and no more often, for all who ask while it looks', async () => {
  const { start, finds } = openStore();
  await Promise.all(Array.from({ length: 100 }, start));
  expect(finds()).toBe(2);
});

it('works on some at once, of one workspace on fewer, and continues when there is room', async () => {
  const { makeDue, hold, release, start, finish, started } = openStore({
    maxConcurrent: 3,
    maxPerTeam: 2,
  });
  for (const key of ['a', 'b', 'c']) hold(key);
  makeDue('other', 'T2');
  await start();
  await expect.poll(() => started).toEqual(['a', 'other', 'b']);
  release('a');
  await expect.poll(() => started).toEqual(['a', 'other', 'b', 'c']);
  for (const key of ['b', 'c']) release(key);
  await finish();
});

it('retries what failed after a second, later every ten seconds, and at once in `finish`', async () => {
  vi.useFakeTimers();
  try {
    const { makeDue, failing, start, finish, stop, started, due } = openStore();
    failing.add('one');
    makeDue('one');
    const times: number[] = [];
    for (let second = 0; second < 40; second += 1) {
      // What waits is not started again because it is found.
      await start();
      const before = started.length;
      await vi.advanceTimersByTimeAsync(1000);
      for (let again = before; again < started.length; again += 1) times.push(second + 1);
    }
    expect(times).toEqual([1, 3, 7, 15, 25, 35]);
    failing.clear();
    await finish();
    expect(due.size).toBe(0);
    await stop();
  } finally {
    vi.useRealTimers();
  }
});

it('gives room to the workspace that has the least', async () => {
  const { hold, release, makeDue, start, finish, started } = openStore({
    maxConcurrent: 3,
    maxPerTeam: 2,
  });
  for (const key of ['a', 'b']) hold(key);
  makeDue('c', 'T2');
  await start();
  expect(started).toEqual(['a', 'c', 'b']);
  for (const key of ['a', 'b']) release(key);
  await finish();
});

it('finds again what first failed and then took longer than its limit', async () => {
  const { hold, release, makeDue, failing, stillDue, start, started, failed, stop } = openStore({
    limitMs: 20,
  });
  failing.add('one');
  makeDue('one');
  await start();
  await expect.poll(() => failed).toEqual(['one Error']);
  failing.clear();
  hold('one');
  stillDue.add('one');
  await expect.poll(() => failed).toEqual(['one Error', 'one TooSlowError']);
  release('one');
  await new Promise(setImmediate);
  await start();
  expect(started).toEqual(['one', 'one', 'one']);
  await stop();
});

it('gives the room of what hangs to others, and does not start it a second time', async () => {
  const { makeDue, hold, release, finish, start, started, failed } = openStore({
    maxConcurrent: 1,
    limitMs: 50,
  });
  hold('hanging');
  makeDue('other', 'T2');
  await finish();
  expect(started).toEqual(['hanging', 'other']);
  expect(failed).toEqual(['hanging TooSlowError']);
  await start();
  expect(started).toHaveLength(2);
  release('hanging');
  await finish();
});

it('waits, when it is stopped, also for what takes longer than its limit', async () => {
  const { hold, release, finish, stop } = openStore({ limitMs: 20 });
  hold('slow');
  await finish();
  let isStopped = false;
  const stopping = stop().then(() => {
    isStopped = true;
  });
  await new Promise(setImmediate);
  expect(isStopped).toBe(false);
  release('slow');
  await stopping;
});

it('works again on what was added while it was worked on, and not on what was only found', async () => {
  const { hold, release, stillDue, add, start, stop, started } = openStore();
  const one = hold('one');
  add([one]);
  await start();
  release('one');
  await expect.poll(() => started).toEqual(['one']);
  hold('one');
  stillDue.add('one');
  add([one]);
  add([one]);
  expect(started).toEqual(['one', 'one']);
  release('one');
  await expect.poll(() => started).toEqual(['one', 'one', 'one']);
  await stop();
});

it('tries again at once what failed if it is added', async () => {
  const { makeDue, failing, add, finish, stop, started } = openStore();
  const one = makeDue('one');
  failing.add('one');
  await finish();
  failing.clear();
  add([one]);
  expect(started).toEqual(['one', 'one']);
  await stop();
});

it('waits for what runs when it is stopped, and starts nothing more', async () => {
  const { makeDue, hold, release, start, add, stop, started } = openStore();
  hold('one');
  await start();
  let isStopped = false;
  const stopping = stop().then(() => {
    isStopped = true;
  });
  add([makeDue('two')]);
  await new Promise(setImmediate);
  expect(isStopped).toBe(false);
  release('one');
  await stopping;
  expect(started).toEqual(['one']);
});

it('says in `start` what went wrong when it looked, and goes on', async () => {
  let isDown = true;
  const done: string[] = [];
  const { start, finish } = createDueWork<Item>({
    async find() {
      if (isDown) throw new Error('the database is down');
      return [{ key: 'one', teamId: 'T1' }];
    },
    key: ({ key }) => key,
    work: async ({ key }) => done.push(key),
    onFailed: async () => undefined,
  });
  await expect(start()).rejects.toThrow('the database is down');
  isDown = false;
  await finish();
  expect(done).toEqual(['one']);
});

it('without other limits, works on eight at once and on two of one workspace', async () => {
  const due = ['T1', 'T1', 'T1', 'T2', 'T2', 'T2', 'T3', 'T4', 'T5', 'T6', 'T7'].map(
    (teamId, index) => ({ key: `${index}`, teamId }),
  );
  const end = Promise.withResolvers<void>();
  const started: string[] = [];
  const { start, stop } = createDueWork<Item>({
    find: async () => due,
    key: ({ key }) => key,
    async work({ teamId }) {
      started.push(teamId);
      await end.promise;
    },
    onFailed: () => undefined,
  });
  await start();
  expect(started.toSorted()).toEqual(['T1', 'T2', 'T3', 'T4', 'T5', 'T6', 'T7', 'T1'].toSorted());
  end.resolve();
  await stop();
});

it('does not let what hangs or fails in one workspace delay the others', async () => {
  const { makeDue, hold, release, failing, start, stop, started } = openStore({
    maxConcurrent: 2,
    maxPerTeam: 1,
  });
  hold('hanging');
  failing.add('failing');
  makeDue('also hanging');
  makeDue('failing', 'T2');
  for (const key of ['a', 'b', 'c']) makeDue(key, 'T3');
  await start();
  await expect.poll(() => started).toEqual(['hanging', 'failing', 'a', 'b', 'c']);
  release('hanging');
  await stop();
});

it('finds what is due in other workspaces behind hundreds of items of one that hangs', async () => {
  const { hold, makeDue, start, stop, release, started } = openStore({
    maxConcurrent: 2,
    maxPerTeam: 1,
  });
  hold('hanging');
  for (let index = 0; index < 500; index += 1) makeDue(`${index}`);
  makeDue('other', 'T2');
  for (let look = 0; look < 3; look += 1) await start();
  await expect.poll(() => started).toEqual(['hanging', 'other']);
  release('hanging');
  await stop();
});

it('without a retry, starts what failed when it is found again', async () => {
  const started: string[] = [];
  const { start, finish } = createDueWork<Item>({
    find: async () => [{ key: 'one', teamId: 'T1' }],
    key: ({ key }) => key,
    async work({ key }) {
      started.push(key);
      throw new Error('the service is down');
    },
    onFailed: () => undefined,
  });
  await finish();
  expect(started).toEqual(['one']);
  await start();
  expect(started).toEqual(['one', 'one']);
});

it('looks again after a look that never ends', async () => {
  vi.useFakeTimers();
  try {
    let finds = 0;
    const { start } = createDueWork<Item>({
      find() {
        finds += 1;
        return finds === 1 ? new Promise(() => undefined) : Promise.resolve([]);
      },
      key: ({ key }) => key,
      work: async () => undefined,
      onFailed: () => undefined,
    });
    const hanging = expect(start()).rejects.toThrow('no result within 120000 ms');
    const next = start();
    await vi.advanceTimersByTimeAsync(120_000);
    await hanging;
    await next;
    expect(finds).toBe(2);
  } finally {
    vi.useRealTimers();
  }
});
