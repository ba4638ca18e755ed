import { expect, it } from 'vitest';
import { isTimeZone, readTimeZone } from '../../../src/features/digests/time-zone.ts';

it.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['europe/berlin', 'Europe/Berlin'],
  ['america/new york', 'America/New_York'],
  ['Asia/Kolkata', 'Asia/Kolkata'],
  ['Etc/UTC', 'Etc/UTC'],
  ['utc', 'UTC'],
  ['asia/kathmandu', 'Asia/Kathmandu'],
  ['ASIA/KOLKATA', 'Asia/Kolkata'],
  ['asia/ho chi minh', 'Asia/Ho_Chi_Minh'],
  ['america/port-au-prince', 'America/Port-au-Prince'],
  ['us/eastern', 'America/New_York'],
  ['etc/gmt+5', 'Etc/GMT+5'],
  ['Berlin', 'Europe/Berlin'],
  ['new york', 'America/New_York'],
  ['buenos aires', 'America/Buenos_Aires'],
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
  ['Japan', 'Asia/Tokyo'],
  ['PST8PDT', 'America/Los_Angeles'],
])('rejects %s', (typed, nearest) => {
  expect(readTimeZone(typed)).toEqual({ nearest });
  expect(isTimeZone(typed)).toBe(false);
});

it.each([
  ['EST', 'America/New_York'],
  ['cet', 'Europe/Berlin'],
  ['CEST', 'Europe/Berlin'],
  ['BST', 'Europe/London'],
  ['GMT', 'Europe/London'],
  ['IST', 'Asia/Kolkata'],
])('rejects %s, which is ambiguous', (typed, example) => {
  expect(readTimeZone(typed)).toEqual({ abbreviation: typed.toUpperCase(), example });
  expect(isTimeZone(typed)).toBe(false);
});

it('accepts alternative spellings', () => {
  expect(isTimeZone('asia/kathmandu')).toBe(true);
});
