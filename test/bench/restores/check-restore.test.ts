import { expect, test } from 'vitest';
import { checkRestore, type RestoreRecord } from '../../../bench/restores/check-restore.ts';

const completed: RestoreRecord = {
  state: 'completed',
  text: '✅ Completed: Volume *a* was restored to a new volume. New volume: `vol-1`.',
  events: ['requested', 'approved', 'started', 'accepted', 'completed'],
  posts: 1,
  volumes: ['vol-1'],
  expiresAt: new Date('2026-11-02'),
  startedAt: new Date('2026-11-01'),
};
const unknown: RestoreRecord = {
  ...completed,
  state: 'outcome_unknown',
  text: "❓ Unknown outcome: Belay doesn't know. Check the service's portal.",
  events: ['requested', 'approved', 'started', 'outcome_unknown'],
  volumes: [],
};

test('a restore that was made once, or is said to be unknown, is no violation', () => {
  expect(checkRestore(completed)).toEqual([]);
  expect(checkRestore(unknown)).toEqual([]);
  expect(checkRestore({ ...unknown, posts: 0 })).toEqual([]);
});

test.each<[string, RestoreRecord, string]>([
  ['sent twice', { ...completed, posts: 2 }, 'was sent 2 times'],
  ['made twice', { ...completed, volumes: ['vol-1', 'vol-2'] }, 'made 2 volumes'],
  ['not made', { ...completed, volumes: [] }, 'is completed, but no volume has its tag'],
  ['not named', { ...completed, volumes: ['vol-2'] }, 'which its message does not name'],
  ['made after all', { ...unknown, volumes: ['vol-1'] }, 'is outcome_unknown, but made vol-1'],
  ['not said', { ...unknown, text: 'Running' }, 'is unknown, but says: Running'],
  ['expired', { ...completed, startedAt: new Date('2026-11-03') }, 'after its backup had expired'],
  ['not ended', { ...unknown, state: 'running' }, 'is running at the end'],
  ['lost in the log', { ...completed, events: ['requested'] }, 'the log ends with requested'],
  ['logged twice', { ...completed, events: [...completed.events, 'completed'] }, 'the log has'],
])('a restore that was %s is one', (_, record, fault) => {
  expect(checkRestore(record).join('\n')).toContain(fault);
});
