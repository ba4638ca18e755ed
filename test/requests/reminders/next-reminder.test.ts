import { addMinutes } from 'date-fns/addMinutes';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextReminder } from '../../../src/requests/reminders/next-reminder.ts';
import { defaultRule } from '../../../src/workspace/rules.ts';

const requestedAt = new Date('2026-03-01T12:00:00Z');
const request = (remindAfterMinutes: number | undefined, minutes = 480) => ({
  requestedAt,
  expiresAt: addMinutes(requestedAt, minutes),
  rule: { ...defaultRule, remindAfterMinutes },
});
const at = (minutes: number) => addMinutes(requestedAt, minutes);

test('each gap is twice as long as the one before', () => {
  const times: number[] = [];
  let next = nextReminder(request(30), requestedAt);
  while (next) {
    times.push((next.getTime() - requestedAt.getTime()) / 60_000);
    next = nextReminder(request(30), next);
  }
  expect(times).toEqual([30, 90, 210, 450]);
});

test('there is none without the setting, and none after the request has expired', () => {
  expect(nextReminder(request(undefined), requestedAt)).toBeUndefined();
  expect(nextReminder({ ...request(30), rule: undefined }, requestedAt)).toBeUndefined();
  expect(nextReminder(request(30, 30), requestedAt)).toBeUndefined();
  expect(nextReminder(request(30), at(450))).toBeUndefined();
});

test('those that were missed are left out', () => {
  expect(nextReminder(request(30), at(200))).toEqual(at(210));
  expect(nextReminder(request(30), at(210))).toEqual(at(450));
});

test('it is always later, by at most the time since the request and one gap', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 5, max: 1440 }),
      fc.integer({ min: 0, max: 10_080 }),
      (gap, elapsed) => {
        const next = nextReminder(request(gap, 1_000_000), at(elapsed));
        const minutes = ((next?.getTime() ?? 0) - requestedAt.getTime()) / 60_000;
        expect(minutes).toBeGreaterThan(elapsed);
        expect(minutes).toBeLessThanOrEqual(2 * elapsed + gap);
      },
    ),
  );
});
