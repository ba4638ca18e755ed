import { expect, it } from 'vitest';
import {
  dayOf,
  type HistoryReading,
  historyPoints,
  lastOfDays,
  type Period,
  periods,
} from '../../../src/features/compliance/history.ts';
import { formatDay } from '../../../src/features/compliance/views/history-blocks.ts';

const today = dayOf(new Date('2026-11-22T12:00:00Z'));
const reading = (takenAt: string, nonCompliantCount?: number): HistoryReading => ({
  takenAt: new Date(takenAt),
  counts: { nonCompliantCount, unprotectedCount: undefined, compliantCount: undefined },
});

it.each([
  ['2026-11-22T23:30:00Z', 'UTC', 'Nov 22'],
  ['2026-11-22T23:30:00Z', 'Europe/Berlin', 'Nov 23'],
  ['2026-11-22T01:30:00Z', 'America/New_York', 'Nov 21'],
  ['2026-11-22T23:30:00Z', 'Mars/Olympus', 'Nov 22'],
  ['2026-11-22T23:30:00Z', undefined, 'Nov 22'],
])('puts %s in %s on %s', (at, timeZone, day) => {
  expect(formatDay(dayOf(new Date(at), timeZone))).toBe(day);
});

it.each<[Period, number, string, string]>([
  [7, 7, 'Nov 16', 'Nov 22'],
  [30, 15, 'Oct 25', 'Nov 22'],
  [90, 13, 'Aug 30', 'Nov 22'],
])('divides %i days into %i points that differ', (period, count, first, last) => {
  const labels = historyPoints(new Map(), { period, today }).map(({ day }) => formatDay(day));
  expect(labels).toHaveLength(count);
  expect([labels[0], labels.at(-1)]).toEqual([first, last]);
  expect(new Set(labels).size).toBe(count);
});

it('takes the last reading within a point, and leaves a gap where there is none', () => {
  const readings = [
    reading('2026-11-16T06:00:00Z', 3),
    reading('2026-11-18T06:00:00Z', 5),
    reading('2026-11-18T21:00:00Z', 0),
    reading('2026-11-21T06:00:00Z', 8),
  ];
  const days = lastOfDays(readings, undefined);
  const counts = (period: Period) =>
    historyPoints(days, { period, today }).map((point) => point.counts?.nonCompliantCount);
  expect(counts(7)).toEqual([3, undefined, 0, undefined, undefined, 8, undefined]);
  expect(counts(30).slice(-4)).toEqual([3, 0, undefined, 8]);
  expect(counts(90).slice(-2)).toEqual([undefined, 8]);
});

it('has at most the 20 points that Slack draws', () => {
  for (const period of periods) {
    expect(historyPoints(new Map(), { period, today }).length).toBeLessThanOrEqual(20);
  }
});
