import { dayOf, daysPerPoint, type Period } from '../../../src/features/compliance/history.ts';
import type { ListHistory } from '../../../src/features/compliance/read-history.ts';
import { sampleNow } from '../sample-place.ts';

/** A history that ends at the day of the samples; `counts` are the noncompliant volumes, oldest first. */
export function historyOf(
  counts: (number | undefined)[],
  { period = 7, ...given }: Partial<ListHistory> = {},
): ListHistory {
  const today = dayOf(sampleNow);
  const step = daysPerPoint[period];
  return {
    period,
    points: counts.map((count, index) => ({
      day: today - (counts.length - 1 - index) * step,
      counts:
        count === undefined
          ? undefined
          : { nonCompliantCount: count, unprotectedCount: index % 3, compliantCount: 90 - count },
    })),
    comparisons: [
      { daysAgo: 1, difference: 2, uncomparedCount: 0 },
      { daysAgo: 7, difference: -3, uncomparedCount: 1 },
      { daysAgo: 30, difference: undefined, uncomparedCount: 0 },
    ],
    sinceYesterday: new Map([
      ['p-1', 2],
      ['p-2', 0],
    ]),
    ...given,
  };
}

const weeks: Record<Period, (number | undefined)[]> = {
  7: [9, 9, undefined, 12, 11, 10, 12],
  30: [4, 4, 6, 6, 5, 7, undefined, undefined, 9, 8, 9, 11, 12, 10, 12],
  90: [undefined, undefined, 2, 3, 3, 5, 4, 6, 6, 9, 8, 11, 12],
};

/** With days of which there is no reading. */
export function sampleHistory(period: Period): ListHistory {
  return historyOf(weeks[period], { period });
}
