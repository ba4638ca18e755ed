import { lightFormat } from '../../dates.ts';
import { inZone } from '../../slack/ui/typed-since.ts';
import type { PolicySample } from './policy-sample.ts';

type Counts = Pick<
  PolicySample['statistics'],
  'nonCompliantCount' | 'unprotectedCount' | 'compliantCount'
>;

/** The counts of one policy, or of all together, at some time. */
export type HistoryReading = { takenAt: Date; counts: Counts };

/** How many days of history are shown. */
export const periods = [7, 30, 90] as const;
export type Period = (typeof periods)[number];

/** How many days a point covers. A chart then has at most 15 points; Slack draws up to 20. */
export const daysPerPoint: Record<Period, number> = { 7: 1, 30: 2, 90: 7 };

/** A point of the history, named for its last day; without counts if there was no reading. */
export type HistoryPoint = { day: number; counts: Counts | undefined };

/** The ages of the readings that the current one is compared with. */
export const comparedDaysAgo = [1, 7, 30] as const;
export type DaysAgo = (typeof comparedDaysAgo)[number];

export const dayMs = 24 * 60 * 60 * 1000;

/** A calendar day, counted from 1970, in that time zone; in UTC if the zone is unknown. */
export function dayOf(at: Date, timeZone?: string | undefined): number {
  return Date.parse(lightFormat(inZone(at, timeZone), 'yyyy-MM-dd')) / dayMs;
}

/** The last reading of each day; `readings` are in order of time. */
export function lastOfDays<Reading extends { takenAt: Date }>(
  readings: Reading[],
  timeZone: string | undefined,
): Map<number, Reading> {
  return new Map(readings.map((reading) => [dayOf(reading.takenAt, timeZone), reading]));
}

/** Oldest first. The counts are those of the last reading within the days of a point. */
export function historyPoints(
  days: Map<number, HistoryReading>,
  { period, today }: { period: Period; today: number },
): HistoryPoint[] {
  const step = daysPerPoint[period];
  const count = Math.ceil(period / step);
  return Array.from({ length: count }, (_, index) => {
    const day = today - (count - 1 - index) * step;
    const within = Array.from({ length: step }, (__, back) => days.get(day - back));
    return { day, counts: within.find((reading) => reading !== undefined)?.counts };
  });
}
