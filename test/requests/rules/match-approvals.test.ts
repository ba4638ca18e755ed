import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchApprovals, neededApprovals } from '../../../src/requests/rules/match-approvals.ts';
import { defaultRule } from '../../../src/workspace/rules.ts';
import { propertyRuns } from '../../support/sampling.ts';

const parts = fc.array(fc.record({ count: fc.integer({ min: 1, max: 3 }) }), {
  minLength: 1,
  maxLength: 4,
});
const candidates = fc.array(fc.record({ meets: fc.subarray([0, 1, 2, 3]) }), { maxLength: 7 });

/** By trying every choice for every person. */
function most(counts: number[], people: { meets: number[] }[]): number {
  const [first, ...rest] = people;
  if (!first) return 0;
  const choices = first.meets.filter((index) => (counts[index] ?? 0) > 0);
  return Math.max(
    most(counts, rest),
    ...choices.map((index) => 1 + most(counts.with(index, (counts[index] ?? 0) - 1), rest)),
  );
}

test('as many people count as can, each for one approval that they could give', () => {
  fc.assert(
    fc.property(parts, candidates, (needed, people) => {
      const { met, missing, size, isComplete } = matchApprovals(needed, people);
      const counts = needed.map(({ count }) => count);
      expect(size).toBe(most(counts, people));
      expect(new Set(met.flat()).size).toBe(size);
      expect(met.every((one, index) => one.every(({ meets }) => meets.includes(index)))).toBe(true);
      expect(missing).toEqual(counts.map((count, index) => count - (met[index]?.length ?? 0)));
      expect(isComplete).toBe(size === counts.reduce((total, count) => total + count, 0));
    }),
    propertyRuns(2000, 300),
  );
});

test('a person who adds nothing to some people adds nothing to more of them', () => {
  fc.assert(
    fc.property(
      parts,
      candidates,
      candidates,
      fc.subarray([0, 1, 2, 3]),
      (needed, few, more, meets) => {
        const grows = (people: { meets: number[] }[]) =>
          matchApprovals(needed, [...people, { meets }]).size > matchApprovals(needed, people).size;
        if (!grows(few)) expect(grows([...few, ...more])).toBe(false);
      },
    ),
    propertyRuns(2000, 300),
  );
});

test('setup can require more people than a rule, all of them named in the rule', () => {
  const rule = { ...defaultRule, approvals: [{ from: ['SSEC', 'U1'], count: 1 }] };
  expect(neededApprovals({ rule, requiredApprovals: 1 }, ['U2'])).toEqual(rule.approvals);
  expect(neededApprovals({ rule, requiredApprovals: 3 }, ['U2'])).toEqual([
    ...rule.approvals,
    { from: ['SSEC', 'U1'], count: 2 },
  ]);
});

test.each([{ rule: defaultRule }, { rule: undefined }])(
  'any of the approvers may approve where no rule names others: $rule.approvals',
  ({ rule }) => {
    const needed = neededApprovals({ rule, requiredApprovals: 3 }, ['SOPS', 'U2']);
    expect(needed).toEqual([{ from: ['SOPS', 'U2'], count: 3 }]);
  },
);
