import { expect, test } from 'vitest';
import {
  bulkStateOf,
  type ChildProgress,
  newTally,
  tallyOf,
} from '../../src/requests/bulk/tally.ts';
import { formatTally } from '../../src/requests/views/bulk-results.ts';

const at = new Date('2026-03-01T12:00:00Z');
const child = (
  state: ChildProgress['state'],
  changes: Partial<ChildProgress> = {},
): ChildProgress => ({
  state,
  wakeAt: undefined,
  isSent: false,
  ...changes,
});
const sent = { isSent: true };
const waiting = { wakeAt: at };

test.each<[string, ChildProgress[], string]>([
  ['approved', [child('approved', waiting), child('completed', sent)], '1 disabled · 1 running'],
  ['approved', [child('outcome_unknown', { ...waiting, ...sent })], '1 running'],
  [
    'scheduled',
    [child('scheduled', { ...waiting, ...sent }), child('failed')],
    '1 failed · 1 scheduled',
  ],
  // As long as something can be canceled.
  [
    'scheduled',
    [child('scheduled', waiting), child('running', waiting)],
    '1 scheduled · 1 running',
  ],
  ['completed', [child('completed', sent), child('completed')], '1 disabled · 1 not changed'],
  [
    'failed',
    [child('completed', sent), child('voided'), child('failed')],
    '1 disabled · 1 not changed · 1 failed',
  ],
  ['failed', [child('voided', sent)], '1 not disabled'],
  ['voided', [child('voided'), child('voided')], '2 not changed'],
  [
    'outcome_unknown',
    [child('outcome_unknown', sent), child('failed')],
    '1 failed · 1 with unknown outcome',
  ],
  ['canceled', [child('canceled', sent), child('canceled', sent)], '2 canceled'],
  ['completed', [child('canceled', sent), child('completed', sent)], '1 disabled · 1 canceled'],
])('%s: %#', (state, children, words) => {
  const tally = tallyOf(children);
  expect(tally.total).toBe(children.length);
  expect(bulkStateOf(tally)).toBe(state);
  expect(formatTally(tally, 'users.bulk_disable')).toBe(words);
});

test('before the decision nothing has started', () => {
  expect(bulkStateOf(newTally(3))).toBe('approved');
});

test('the first scheduled step is the next one', () => {
  const later = new Date(at.getTime() + 1000);
  const tally = tallyOf([
    child('scheduled', { wakeAt: later }),
    child('scheduled', waiting),
    child('running', { wakeAt: new Date(0) }),
  ]);
  expect(tally.nextAt).toEqual(at);
});
