import { expect, it } from 'vitest';
import type { Alert } from '../../../../src/dataprotection/resources/alerts.ts';
import { formatCounts } from '../../../../src/features/alerts/views/alert-list-message.ts';

function some(severity: string | undefined, count: number, status = 'active'): Alert[] {
  return Array.from({ length: count }, (_, id) => ({
    id: `${severity}${id}`,
    severity,
    status,
    otherFields: {},
  }));
}

const whole = { isComplete: true, shownBefore: 0, shownHere: 0 };

it('counts errors first, then warnings, then other severities', () => {
  const matched = [...some(undefined, 2), ...some('data_loss', 1), ...some('warning', 9)];
  expect(formatCounts({ ...whole, matched, status: 'active' })).toBe(
    '12 active: 9 warnings, 1 with severity data loss, 2 without a severity',
  );
  const all = [...some('warning', 1, 'cleared'), ...some('error', 3)];
  expect(formatCounts({ ...whole, matched: all, status: 'all' })).toBe(
    '4 alerts (3 active, 1 cleared): 3 errors, 1 warning',
  );
});

it('says "at least" for incomplete counts, and lists a few severities only', () => {
  const matched = 'abcdefg'.split('').flatMap((severity) => some(severity, 1));
  expect(formatCounts({ ...whole, matched, isComplete: false, status: 'cleared' })).toBe(
    'At least 7 cleared: 1 with severity a, 1 with severity b, 1 with severity c, 1 with severity d, 1 with severity e, 2 of other severities',
  );
});

it('gives the range of the page, in what is left of the list', () => {
  const matched = some('notice', 12);
  const range = (shownBefore: number, shownHere: number, isComplete = true) =>
    formatCounts({ matched, isComplete, status: 'active', shownBefore, shownHere });
  expect(range(0, 10)).toBe('1-10 of 12 active: 12 notices');
  expect(range(0, 10, false)).toBe('1-10 of at least 12 active: 12 notices');
  expect(range(10, 2)).toBe('11-12 of 12 active: 12 notices');
  expect(range(10, 4)).toBe('11-14 of 14 active: 12 notices');
  expect(range(12, 0)).toBe('12 active: 12 notices');
});
