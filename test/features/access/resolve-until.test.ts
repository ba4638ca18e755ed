import { expect, test } from 'vitest';
import { endOfLastDay, readLastDay } from '../../../src/features/access/resolve-until.ts';

/** A Monday: in Auckland it is Tuesday already. */
const now = new Date('2026-11-23T15:00:00Z');
const newYork = 'America/New_York';

test.each([
  ['2026-12-01', newYork, '2026-12-01'],
  ['today', newYork, '2026-11-23'],
  ['today', 'Pacific/Auckland', '2026-11-24'],
  ['Tomorrow', undefined, '2026-11-24'],
  ['friday', newYork, '2026-11-27'],
  ['monday', newYork, '2026-11-30'],
  ['Fri', newYork, '2026-11-27'],
  ['10d', 'no such zone', '2026-12-03'],
  ['2w', newYork, '2026-12-07'],
  ['2026-02-30', newYork, undefined],
  ['0d', newYork, undefined],
  ['soon', newYork, undefined],
])('reads %s in %s', (typed, timeZone, date) => {
  expect(readLastDay(typed, now, timeZone)).toBe(date);
});

test.each([
  ['2026-11-23', newYork, '2026-11-24T05:00:00.000Z'],
  ['2026-11-24', 'Pacific/Auckland', '2026-11-24T11:00:00.000Z'],
  ['2026-12-31', undefined, '2027-01-01T00:00:00.000Z'],
])('the day %s in %s ends at its midnight', (date, timeZone, at) => {
  expect(endOfLastDay(date, now, timeZone)).toEqual({ endsAt: new Date(at) });
});

test('a day ends an hour later after the clocks were set back', () => {
  const end = endOfLastDay('2026-11-01', new Date('2026-10-31T15:00:00Z'), newYork);
  expect(end).toEqual({ endsAt: new Date('2026-11-02T05:00:00.000Z') });
});

test.each(['2026-11-22', '2027-01-23'])('refuses %s', (date) => {
  expect(endOfLastDay(date, now, newYork)).toHaveProperty('problem');
  expect(endOfLastDay('2027-01-22', now, newYork)).toHaveProperty('endsAt');
});
