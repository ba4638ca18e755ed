import { expect, it } from 'vitest';
import { workConcurrently } from '../../src/jobs/work-concurrently.ts';

const limits = { maxConcurrent: 3, maxCalls: 100 };

it('works until nothing is due, within the limit of concurrent calls', async () => {
  let [due, running, most] = [20, 0, 0];
  const work = async () => {
    if (due === 0) return false;
    due -= 1;
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    running -= 1;
    return true;
  };
  expect(await workConcurrently(work, limits)).toBe(20);
  expect(most).toBe(3);
});

it('ends after the maximum of calls, and when Belay stops', async () => {
  expect(await workConcurrently(async () => true, { ...limits, maxCalls: 7 })).toBe(7);
  const stopping = new AbortController();
  let calls = 0;
  await workConcurrently(
    async () => {
      calls += 1;
      stopping.abort();
      return true;
    },
    { ...limits, stopping: stopping.signal },
  );
  expect(calls).toBeLessThanOrEqual(limits.maxConcurrent);
});

it('fails only after all running calls have ended', async () => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  let calls = 0;
  const failing = workConcurrently(
    async () => {
      calls += 1;
      if (calls === 1) throw new Error('the database is down');
      return promise;
    },
    { maxConcurrent: 2, maxCalls: 2 },
  );
  let hasEnded = false;
  const ended = failing.catch((error: Error) => {
    hasEnded = true;
    return error.message;
  });
  await new Promise(setImmediate);
  expect(hasEnded).toBe(false);
  resolve(false);
  expect(await ended).toBe('the database is down');
});
