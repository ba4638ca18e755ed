import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import { comparePolicies } from '../../../../src/features/policies/difference/compare-policies.ts';
import { overallWeight } from '../../../../src/features/policies/difference/policy-change.ts';
import { policyPair } from './generated-pairs.ts';
import { isWeakened } from './oracle.ts';

test('of 1,000 generated pairs, no weakening is shown as neutral or stronger', () => {
  const seen = { weakened: 0, kept: 0, keptAndShownSo: 0 };
  fc.assert(
    fc.property(policyPair, ({ before, after }) => {
      const changes = comparePolicies(before, after);
      const weight = overallWeight(changes);
      if (isWeakened(before, after)) {
        seen.weakened += 1;
        expect(weight).toBe('weaker');
        expect(changes[0]?.weight).toBe('weaker');
      } else {
        seen.kept += 1;
        if (weight !== 'weaker') seen.keptAndShownSo += 1;
      }
    }),
    { numRuns: 1000, seed: inject('seed') },
  );
  // The generator makes both, and the difference doesn't call everything weaker.
  expect(seen.weakened).toBeGreaterThan(200);
  expect(seen.kept).toBeGreaterThan(80);
  expect(seen.keptAndShownSo / seen.kept).toBeGreaterThan(0.6);
});

test('what differs is always listed, and what is equal never', () => {
  fc.assert(
    fc.property(policyPair, ({ before, after }) => {
      expect(comparePolicies(before, structuredClone(before))).toEqual([]);
      const isEqual = JSON.stringify(before) === JSON.stringify(after);
      if (isEqual) expect(comparePolicies(before, after)).toEqual([]);
    }),
    { numRuns: 300, seed: inject('seed') },
  );
});
