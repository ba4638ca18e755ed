import { expect, it } from 'vitest';
import {
  calculateShare,
  formatStatistics,
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
  'the share of %s compliant and %s non-compliant is %s',
  (compliantCount, nonCompliantCount, share) => {
    const found = calculateShare({ compliantCount, nonCompliantCount, otherFields: {} });
    expect(found?.percent).toBe(share);
  },
);

it('formats known and unknown counts', () => {
  const all = {
    ...{ compliantCount: 97, nonCompliantCount: 3, deactivatedCount: 2, protectedCount: 100 },
    ...{ unprotectedCount: 5, hasSeedingEntities: true, otherFields: {} },
  };
  expect(formatStatistics(all)).toBe(
    '97% compliant (97 of 100 volumes counted) · 3 non-compliant · 5 not protected · 2 deactivated · first backups under way',
  );
  expect(formatStatistics({ compliantCount: 18, otherFields: {} })).toBe(
    '18 compliant · unknown number non-compliant',
  );
  const none = { compliantCount: 0, nonCompliantCount: 0, unprotectedCount: 4, otherFields: {} };
  expect(formatStatistics(none)).toBe(
    'No volume is counted as compliant or non-compliant · 4 not protected',
  );
});
