import { expect, test } from 'vitest';
import { formatSlackDate } from '../../../../playground/web/mrkdwn/format-date.ts';

const at = (iso: string) => Date.parse(iso) / 1000;
const now = new Date('2026-11-21T12:00:00Z');
const inMadrid = { timeZone: 'Europe/Madrid', now };

test.each([
  ['{date_num}', '2026-11-18'],
  ['{date}', 'November 18th'],
  ['{date_short}', 'Nov 18'],
  ['{date_long}', 'Wednesday, November 18th'],
  ['{date_pretty}', 'November 18th'],
  ['{time}', '1:05 AM'],
  ['{time_secs}', '1:05:09 AM'],
  ['{ago}', '3 days ago'],
  ['on {date_short} at {time}', 'on Nov 18 at 1:05 AM'],
  ['{nonsense}', '{nonsense}'],
])('%s reads %s', (format, expected) => {
  expect(formatSlackDate(at('2026-11-18T00:05:09Z'), format, inMadrid)).toBe(expected);
});

test.each([
  ['Europe/Madrid', 'today at 12:30 AM'],
  ['America/New_York', 'yesterday at 6:30 PM'],
  ['Asia/Tokyo', 'today at 8:30 AM'],
])('the same time in %s is %s', (timeZone, expected) => {
  const moment = at('2026-11-20T23:30:00Z');
  const format = '{date_short_pretty} at {time}';
  expect(formatSlackDate(moment, format, { timeZone, now })).toBe(expected);
});

test('the next day is "tomorrow" in every length', () => {
  const moment = at('2026-11-22T12:00:00Z');
  const format = '{date_pretty} {date_short_pretty} {date_long_pretty}';
  expect(formatSlackDate(moment, format, inMadrid)).toBe('tomorrow tomorrow tomorrow');
});

test('a date more than half a year away shows its year', () => {
  const format = '{date}; {date_short}; {date_long}';
  expect(formatSlackDate(at('2014-02-01T12:00:00Z'), format, inMadrid)).toBe(
    'February 1st, 2014; Feb 1, 2014; Saturday, February 1st, 2014',
  );
});

test.each([
  ['2026-11-21T11:59:30Z', 'just now'],
  ['2026-11-21T11:58:00Z', '2 minutes ago'],
  ['2026-11-21T20:00:00Z', 'in 8 hours'],
  ['2026-08-21T12:00:00Z', '3 months ago'],
])('%s was %s', (moment, expected) => {
  expect(formatSlackDate(at(moment), '{ago}', inMadrid)).toBe(expected);
});
