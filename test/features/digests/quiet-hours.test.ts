import { expect, it } from 'vitest';
import { endOfQuiet, isQuietTime } from '../../../src/features/digests/quiet-hours.ts';

const night = { from: '22:00', to: '07:00' };
const lunch = { from: '12:00', to: '13:00' };

it.each([
  [night, '21:59', false],
  [night, '22:00', true],
  [night, '00:00', true],
  [night, '06:59', true],
  [night, '07:00', false],
  [lunch, '11:59', false],
  [lunch, '12:30', true],
  [lunch, '13:00', false],
  [{ from: '09:00', to: '09:00' }, '09:00', false],
])('%o at %s: quiet is %s', (quiet, time, isQuiet) => {
  expect(isQuietTime(quiet, time)).toBe(isQuiet);
});

it.each([
  ['before midnight', '2026-11-20T22:30:00Z', '2026-11-21T06:00:00.000Z'],
  ['after midnight', '2026-11-21T03:00:30Z', '2026-11-21T06:00:00.000Z'],
  ['by day', '2026-11-21T06:00:00Z', undefined],
  ['over a night that is an hour shorter', '2026-03-28T22:00:00Z', '2026-03-29T05:00:00.000Z'],
])('%s in Berlin', (_, now, end) => {
  expect(endOfQuiet(night, 'Europe/Berlin', new Date(now))?.toISOString()).toBe(end);
});

it('ends an hour that comes twice when it is that time again', () => {
  const quiet = { from: '22:00', to: '02:30' };
  const second = new Date('2026-10-25T01:15:00Z');
  expect(endOfQuiet(quiet, 'Europe/Berlin', second)?.toISOString()).toBe(
    '2026-10-25T01:30:00.000Z',
  );
});

it('holds never where there are no quiet hours', () => {
  expect(endOfQuiet(undefined, 'Europe/Berlin', new Date())).toBeUndefined();
});
