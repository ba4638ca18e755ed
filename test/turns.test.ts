import { expect, it } from 'vitest';
import { createTurns } from '../src/turns.ts';

/** Work that the test ends, and the names of what is running. */
function startWork(takeTurn: ReturnType<typeof createTurns>) {
  const running: string[] = [];
  const ends: (() => void)[] = [];
  const run = (key: string, name: string) =>
    takeTurn(key, async () => {
      running.push(name);
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.push(resolve);
      await promise;
      return name;
    });
  return { running, ends, run };
}

it('runs a few calls with the same key at once, and the others in their order', async () => {
  const { running, ends, run } = startWork(createTurns(2));
  const all = ['a', 'b', 'c', 'd'].map((name) => run('one', name));
  await expect.poll(() => running).toEqual(['a', 'b']);
  ends[1]?.();
  await expect.poll(() => running).toEqual(['a', 'b', 'c']);
  ends[0]?.();
  await expect.poll(() => running).toEqual(['a', 'b', 'c', 'd']);
  for (const end of ends) end();
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
});

it('runs calls with other keys meanwhile', async () => {
  const { running, run } = startWork(createTurns(1));
  for (const key of ['one', 'two']) void run(key, key);
  await expect.poll(() => running).toEqual(['one', 'two']);
});

it('goes on after a call that fails, and passes its error on', async () => {
  const takeTurn = createTurns(1);
  const failing = takeTurn('one', () => Promise.reject(new Error('refused')));
  const next = takeTurn('one', async () => 'done');
  await expect(failing).rejects.toThrow('refused');
  expect(await next).toBe('done');
});
