import { expect, it } from 'vitest';
import { TooSlowError, workInTurn } from '../../src/jobs/work-in-turn.ts';

type Item = { teamId: string; id: number };

const itemsOf = (teamId: string, count: number): Item[] =>
  Array.from({ length: count }, (_, id) => ({ teamId, id }));

const options = { limitMs: 5000, onFailed: (_: Item, error: unknown) => Promise.reject(error) };

it('works on all items, eight at once and two of one workspace', async () => {
  const items = [...itemsOf('T1', 20), ...itemsOf('T2', 3), ...itemsOf('T3', 3)];
  const others = Array.from({ length: 10 }, (_, id) => ({ teamId: `other ${id}`, id }));
  const running: Item[] = [];
  let most = 0;
  let mostOfOne = 0;
  let done = 0;
  await workInTurn(
    [...items, ...others],
    async (item) => {
      running.push(item);
      most = Math.max(most, running.length);
      const ofTeam = running.filter(({ teamId }) => teamId === item.teamId);
      mostOfOne = Math.max(mostOfOne, ofTeam.length);
      await new Promise(setImmediate);
      running.splice(running.indexOf(item), 1);
      done += 1;
    },
    options,
  );
  expect({ done, most, mostOfOne }).toEqual({ done: 36, most: 8, mostOfOne: 2 });
});

it('does not let what hangs or fails in one workspace delay the others', async () => {
  const failed: unknown[] = [];
  const done: Item[] = [];
  const ended = workInTurn(
    [...itemsOf('hanging', 3), ...itemsOf('failing', 3), ...itemsOf('T3', 3)],
    async (item) => {
      if (item.teamId === 'hanging') await new Promise(() => undefined);
      if (item.teamId === 'failing') throw new Error('it is down');
      done.push(item);
    },
    { limitMs: 50, onFailed: (item, error) => failed.push([item.teamId, error]) },
  );
  await expect.poll(() => done.length).toBe(3);
  await ended;
  expect(failed).toEqual([
    ...Array.from({ length: 3 }, () => ['failing', expect.any(Error)]),
    ...Array.from({ length: 3 }, () => ['hanging', expect.any(TooSlowError)]),
  ]);
});

it('starts nothing more once Belay stops', async () => {
  const stopping = new AbortController();
  const done: Item[] = [];
  const work = async (item: Item) => {
    done.push(item);
    stopping.abort();
  };
  await workInTurn(itemsOf('T1', 9), work, { ...options, stopping: stopping.signal });
  expect(done).toHaveLength(1);
});
