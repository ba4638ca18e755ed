import { expect, it } from 'vitest';
import { isDay, isSince, resolveSince, sinceProblem } from '../../../src/slack/ui/typed-since.ts';

const now = new Date('2026-11-21T12:00:00Z');

it.each([
  ['2h', '2026-11-21T10:00:00.000Z'],
  ['7d', '2026-11-14T12:00:00.000Z'],
  ['2w', '2026-11-07T12:00:00.000Z'],
  ['2026-11-01', '2026-11-01T00:00:00.000Z'],
])('%s resolves to a date', (typed, moment) => {
  expect(isSince(typed)).toBe(true);
  expect(resolveSince(typed, now).toISOString()).toBe(moment);
});

it.each(['soon', '0d', '07d', '12345d', '3m', '2026-13-01', '2026-02-30', '21.11.2026', ''])(
  '%j is not a valid time',
  (typed) => expect(isSince(typed)).toBe(false),
);

it.each([
  ['Europe/Berlin', '2026-10-24T22:00:00.000Z'],
  ['America/New_York', '2026-10-25T04:00:00.000Z'],
  ['Nowhere/Land', '2026-10-25T00:00:00.000Z'],
  [undefined, '2026-10-25T00:00:00.000Z'],
])('a day in %s starts at midnight there', (timeZone, moment) => {
  expect(resolveSince('2026-10-25', now, timeZone).toISOString()).toBe(moment);
});

it.each([
  ['today', 'Europe/Berlin', '2026-11-20T23:00:00.000Z'],
  ['yesterday', 'Europe/Berlin', '2026-11-19T23:00:00.000Z'],
  ['saturday', 'Europe/Berlin', '2026-11-20T23:00:00.000Z'],
  ['sunday', 'Europe/Berlin', '2026-11-14T23:00:00.000Z'],
  ['monday', 'Europe/Berlin', '2026-11-15T23:00:00.000Z'],
  ['today', 'Pacific/Kiritimati', '2026-11-21T10:00:00.000Z'],
  ['sunday', 'Pacific/Kiritimati', '2026-11-21T10:00:00.000Z'],
  ['monday', 'Nowhere/Land', '2026-11-16T00:00:00.000Z'],
  ['yesterday', undefined, '2026-11-20T00:00:00.000Z'],
])('%s in %s is the last such day there', (name, timeZone, moment) => {
  expect([isSince(name), isDay(name)]).toEqual([true, true]);
  expect(resolveSince(name, now, timeZone).toISOString()).toBe(moment);
  expect(sinceProblem(name, now, timeZone)).toBeUndefined();
});

it('a named day begins at midnight, also after the clocks changed', () => {
  const monday = new Date('2026-10-26T12:00:00Z');
  const begin = resolveSince('saturday', monday, 'Europe/Berlin');
  expect(begin.toISOString()).toBe('2026-10-23T22:00:00.000Z');
});

it('distinguishes days from ages', () => {
  expect([isDay('2026-11-01'), isDay('1d')]).toEqual([true, false]);
});

it('recognizes days in the future of the time zone', () => {
  const problem = sinceProblem('2026-11-22', now, 'Europe/Berlin');
  expect(problem).toBe('That date is in the future.');
  expect(sinceProblem('2026-11-22', now, 'Pacific/Kiritimati')).toBeUndefined();
});

it('quotes invalid text, escaped, and gives examples', () => {
  const problem = (typed: string) => sinceProblem(typed, now, 'Europe/Berlin');
  const examples = 'Use `2h`, `2d`, `1w`, `yesterday`, `monday` or a date such as `2026-11-01`.';
  expect(problem('99x')).toBe(`Unknown time \`since:99x\`. ${examples}`);
  expect(problem('yesterdy')).toContain('Did you mean `since:yesterday`?');
  expect(problem('<!here>`')).toContain('`since:&lt;!here&gt;ˋ`.');
  expect(problem('2026-11-22')).toBe('That date is in the future.');
  expect(['2D', 'Monday', '2026-11-01'].map(problem)).toEqual([undefined, undefined, undefined]);
});
