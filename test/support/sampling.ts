import fc from 'fast-check';
import { inject } from 'vitest';

/** `.ci/run` sets it: long matrices and property tests run at full length there, sampled elsewhere. */
const isFull = process.env.BELAY_TEST_FULL === '1';

/** Parameters for `fc.assert`: `full` runs in `.ci/run`, else `sampled` runs from the seed that `npm test` prints. */
export function propertyRuns(full: number, sampled: number): { numRuns: number; seed: number } {
  return { numRuns: isFull ? full : sampled, seed: inject('seed') };
}

/**
 * `count` of the cases, in their order, chosen by the printed seed; all of them in `.ci/run`. `salt`
 * makes choices that are taken from the same cases differ.
 */
export function sample<T>(cases: readonly T[], count: number, salt = 0): T[] {
  if (isFull || count >= cases.length) return [...cases];
  const indexes = fc.shuffledSubarray([...cases.keys()], { minLength: count, maxLength: count });
  const [chosen = []] = fc.sample(indexes, { numRuns: 1, seed: inject('seed') + salt });
  return chosen
    .toSorted((one, other) => one - other)
    .flatMap((index) => cases.slice(index, index + 1));
}
