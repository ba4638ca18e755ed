import { expect, it } from 'vitest';
import type { Alert } from '../../../../src/dataprotection/resources/alerts.ts';
import { formatCounts } from '../../../../src/features/alerts/views/format-counts.ts';

function some(severity: string | undefined, count: number, status = 'active'): Alert[] {
  return Array.from({ length: count }, (_, id) => ({
    ...{ id: `${severity}${id}`, severity, status, otherFields: {} },
  }));
}

it('counts errors first, then warnings, then other severities', () => {
  const matched = [...some(undefined, 2), ...some('data_loss', 1), ...some('warning', 9)];
  expect(formatCounts({ matched, isComplete: true, status: 'active' })).toBe(
    '12 active: 9 warnings, 1 of severity data loss, 2 without a severity',
  );
  const all = [...some('warning', 1, 'cleared'), ...some('error', 3)];
  expect(formatCounts({ matched: all, isComplete: true, status: 'all' })).toBe(
    '4 alerts (3 active, 1 cleared): 3 errors, 1 warning',
  );
});

it('says "at least" for incomplete counts, and lists a few severities only', () => {
  const matched = 'abcdefg'.split('').flatMap((severity) => some(severity, 1));
  expect(formatCounts({ matched, isComplete: false, status: 'cleared' })).toBe(
    'At least 7 cleared: 1 of severity a, 1 of severity b, 1 of severity c, 1 of severity d, 1 of severity e, 2 of other severities',
  );
});
