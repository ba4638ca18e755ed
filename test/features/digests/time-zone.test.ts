import { expect, it } from 'vitest';
import { isTimeZone, readTimeZone } from '../../../src/features/digests/time-zone.ts';

it.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['europe/berlin', 'Europe/Berlin'],
  ['america/new york', 'America/New_York'],
  ['Asia/Kolkata', 'Asia/Kolkata'],
  ['Etc/UTC', 'Etc/UTC'],
  ['utc', 'UTC'],
])('reads %s as %s', (typed, timeZone) => {
  expect(readTimeZone(typed)).toEqual({ timeZone });
  expect(isTimeZone(timeZone)).toBe(true);
});

it.each([
  ['Berln', 'Europe/Berlin'],
  ['Europe/Lisboa', 'Europe/Lisbon'],
  ['+02:00', undefined],
  ['', undefined],
  ['<!channel>', undefined],
  ['x'.repeat(60), undefined],
])('takes %s for no zone', (typed, nearest) => {
  expect(readTimeZone(typed)).toEqual({ nearest });
  expect(isTimeZone(typed)).toBe(false);
});
