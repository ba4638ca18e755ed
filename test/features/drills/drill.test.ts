import { expect, it } from 'vitest';
import { chooseVolume } from '../../../src/features/drills/choose-backup.ts';
import { type DrillSchedule, nextDrillRun } from '../../../src/features/drills/drill.ts';
import { actionRule, ruleOf } from '../../../src/workspace/rules.ts';

const schedule: DrillSchedule = {
  every: 'month',
  weekday: 1,
  time: '03:00',
  timeZone: 'Europe/Berlin',
};

it.each([
  // The clocks go forward in March.
  ['2026-03-01T12:00:00Z', '2026-03-02T02:00:00.000Z'],
  ['2026-03-02T02:00:00Z', '2026-04-06T01:00:00.000Z'],
  ['2026-06-30T12:00:00Z', '2026-07-06T01:00:00.000Z'],
  // The first day of the month is such a day.
  ['2026-05-10T12:00:00Z', '2026-06-01T01:00:00.000Z'],
  ['2026-12-20T12:00:00Z', '2027-01-04T02:00:00.000Z'],
])('a monthly drill after %s runs at %s, on the first Monday', (after, next) => {
  expect(nextDrillRun(schedule, new Date(after)).toISOString()).toBe(next);
});

it('a weekly drill runs on every such day', () => {
  const weekly = { ...schedule, every: 'week' as const };
  const next = nextDrillRun(weekly, new Date('2026-03-02T02:00:00Z'));
  expect(next.toISOString()).toBe('2026-03-09T02:00:00.000Z');
});

it('of a policy, a volume that was never tried comes first, then the one tried longest ago', () => {
  const volumes = ['a', 'b', 'c'].map((id) => ({ id, otherFields: {} }));
  const tried = new Map([
    ['a', new Date(2)],
    ['c', new Date(1)],
  ]);
  expect(chooseVolume(volumes, tried)?.id).toBe('b');
  expect(chooseVolume(volumes, new Map([...tried, ['b', new Date(3)]]))?.id).toBe('c');
  expect(chooseVolume([], tried)).toBeUndefined();
});

it('a drill has the rule of a restore', () => {
  const rule = actionRule.parse({ requesters: ['U0ANA00001'] });
  expect(ruleOf({ 'volumes.restore': rule }, 'drills.add')).toBe(rule);
});
