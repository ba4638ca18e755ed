import { expect, test } from 'vitest';
import { nextStepAt, type Run } from '../../src/requests/approval.ts';
import { countRuns, stateOfRuns } from '../../src/requests/several/count-runs.ts';
import { formatRunCounts } from '../../src/requests/views/subject-results.ts';
import { sampleApproval } from './sample-approval.ts';

const at = new Date('2026-03-01T12:00:00Z');

function run(state: Run['state'], changes: Partial<Run> = {}): Run {
  return sampleApproval({ state, ...changes }).runs[0];
}
const sent = { sent: [{ step: 'disable', attempt: 1 }] };
const waiting = { wakeAt: at };

test.each<[string, Run[], string]>([
  ['approved', [run('approved', waiting), run('completed', sent)], '1 disabled · 1 running'],
  ['approved', [run('outcome_unknown', { ...waiting, ...sent })], '1 running'],
  [
    'scheduled',
    [run('scheduled', { ...waiting, ...sent }), run('failed')],
    '1 failed · 1 scheduled',
  ],
  // As long as something can be canceled.
  ['scheduled', [run('scheduled', waiting), run('running', waiting)], '1 scheduled · 1 running'],
  ['completed', [run('completed', sent), run('completed')], '1 disabled · 1 not changed'],
  [
    'failed',
    [run('completed', sent), run('voided'), run('failed')],
    '1 disabled · 1 not changed · 1 failed',
  ],
  ['failed', [run('voided', sent)], '1 not disabled'],
  ['voided', [run('voided'), run('voided')], '2 not changed'],
  [
    'outcome_unknown',
    [run('outcome_unknown', sent), run('failed')],
    '1 failed · 1 with unknown outcome',
  ],
  ['canceled', [run('canceled', sent), run('canceled', sent)], '2 canceled'],
  ['completed', [run('canceled', sent), run('completed', sent)], '1 disabled · 1 canceled'],
])('%s: %#', (state, runs, words) => {
  expect(countRuns(runs).total).toBe(runs.length);
  expect(stateOfRuns(countRuns(runs))).toBe(state);
  expect(formatRunCounts(runs, 'users.disable')).toBe(words);
});

test('the first scheduled step is the next one', () => {
  const later = new Date(at.getTime() + 1000);
  const nextAt = nextStepAt({
    runs: [
      run('scheduled', { wakeAt: later }),
      run('scheduled', waiting),
      run('running', { wakeAt: new Date(0) }),
    ],
  });
  expect(nextAt).toEqual(at);
});
