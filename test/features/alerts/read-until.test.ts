import { describe, expect, it } from 'vitest';
import { readUntil } from '../../../src/features/alerts/read-until.ts';

// A Friday, 10:30 in Berlin. On Sunday, clocks are set back.
const now = new Date('2026-10-23T08:30:00Z');
const read = (typed: string, timeZone: string | undefined = 'Europe/Berlin') =>
  readUntil(typed, now, timeZone)?.toISOString();

describe('readUntil', () => {
  it('reads a duration', () => {
    expect(read('4h')).toBe('2026-10-23T12:30:00.000Z');
    expect(read('for 90 minutes')).toBe('2026-10-23T10:00:00.000Z');
    expect(read('2 days')).toBe('2026-10-25T08:30:00.000Z');
    expect(read('1w')).toBe('2026-10-30T08:30:00.000Z');
  });

  it('reads a day, which begins at 9:00, across the end of daylight saving time', () => {
    expect(read('tomorrow')).toBe('2026-10-24T07:00:00.000Z');
    expect(read('sunday')).toBe('2026-10-25T08:00:00.000Z');
    expect(read('until 2026-12-01')).toBe('2026-12-01T08:00:00.000Z');
  });

  it('reads a day with a time', () => {
    expect(read('until friday 14:00')).toBe('2026-10-30T13:00:00.000Z');
    expect(read('today at 6 pm')).toBe('2026-10-23T16:00:00.000Z');
    expect(read('Mon 9:30am')).toBe('2026-10-26T08:30:00.000Z');
    expect(read('2026-12-01 08:15')).toBe('2026-12-01T07:15:00.000Z');
  });

  it('reads a time as the next one', () => {
    expect(read('10:00')).toBe('2026-10-24T08:00:00.000Z');
    expect(read('11:00')).toBe('2026-10-23T09:00:00.000Z');
    expect(read('12 am')).toBe('2026-10-23T22:00:00.000Z');
  });

  it('reads times in UTC without a time zone', () => {
    expect(readUntil('tomorrow', now, undefined)?.toISOString()).toBe('2026-10-24T09:00:00.000Z');
  });

  it.each([
    '',
    'soon',
    '0h',
    '14',
    '25:00',
    '13pm',
    'friday 9',
    'yesterday',
    '2026-10-01',
    'in 3h',
  ])('does not read %j', (typed) => expect(read(typed)).toBeUndefined());
});
