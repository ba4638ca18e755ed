import { expect, it } from 'vitest';
import {
  calculateShare,
  formatShare,
  formatStatistics,
  sumStatistics,
} from '../../../../src/features/compliance/views/format-compliance.ts';

it.each([
  [97, 3, '97%'],
  [29, 21, '58%'],
  [57, 43, '57%'],
  [1, 0, '100%'],
  [0, 4, '0%'],
  [9999, 1, '99%'],
  [1e300, 1, '99%'],
  [Number.MAX_VALUE, 0, undefined],
  [Number.MAX_VALUE, Number.MAX_VALUE, undefined],
  [1, 9999, 'under 1%'],
  [0, 0, undefined],
  [-1, 5, undefined],
  [18, undefined, undefined],
  [undefined, 2, undefined],
])(
  'the share of %s compliant and %s noncompliant is %s',
  (compliantCount, nonCompliantCount, share) => {
    const found = calculateShare({ compliantCount, nonCompliantCount, otherFields: {} });
    expect(found?.percent).toBe(share);
  },
);

it('formats known and unknown counts', () => {
  const all = {
    compliantCount: 97,
    nonCompliantCount: 3,
    deactivatedCount: 2,
    protectedCount: 100,
    unprotectedCount: 5,
    hasSeedingEntities: true,
    otherFields: {},
  };
  expect(formatStatistics(all)).toBe(
    '97% of protected volumes compliant (97 of 100) · 3 noncompliant · 5 unprotected · 2 deactivated · first backups running',
  );
  expect(formatStatistics({ compliantCount: 18, otherFields: {} })).toBe(
    '18 compliant · noncompliant count unavailable',
  );
  const none = { compliantCount: 0, nonCompliantCount: 0, unprotectedCount: 4, otherFields: {} };
  expect(formatStatistics(none)).toBe('No data · 4 unprotected');
});

it('never shows a percentage without saying what it is of', () => {
  const all = { compliantCount: 44, nonCompliantCount: 0, unprotectedCount: 12, otherFields: {} };
  expect(formatStatistics({ ...all, protectedCount: 44 })).toBe(
    '100% of protected volumes compliant (44 of 44) · 0 noncompliant · 12 unprotected',
  );
  // What the service counts as protected is something else here, or unknown.
  expect(formatShare({ ...all, protectedCount: 50 })).toBe(
    '100% of checked volumes compliant (44 of 44)',
  );
});

it('adds up policies that have both counts', () => {
  const gold = { compliantCount: 9, nonCompliantCount: 1, protectedCount: 10, unprotectedCount: 2 };
  const partial = { compliantCount: 18, unprotectedCount: 3 };
  const sum = { ...gold, unprotectedCount: 5, otherFields: {} };
  expect(sumStatistics([gold, partial])).toEqual(sum);
  const unknown = { compliantCount: 1, nonCompliantCount: 0 };
  expect(sumStatistics([gold, unknown]).protectedCount).toBeUndefined();
});
