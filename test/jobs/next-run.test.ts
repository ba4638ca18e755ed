import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextRun } from '../../src/jobs/next-run.ts';
import {
  asUtc,
  changesIn,
  dayMs,
  minutesAround,
  runOn,
  wallAt,
  zones,
} from '../features/digests/wall-clocks.ts';
import { propertyRuns, sample } from '../support/sampling.ts';

type Schedule = Parameters<typeof nextRun>[0];

const everyDay = [1, 2, 3, 4, 5, 6, 7];

const weekdays = fc.uniqueArray(fc.constantFrom(...everyDay), { minLength: 1 });
const anyTime = fc.integer({ min: 0, max: 24 * 60 - 1 });

function timeOf(minute: number): string {
  return new Date((((minute % 1440) + 1440) % 1440) * 60_000).toISOString().slice(11, 16);
}

/** Half of the times are near the clock change. */
function timesNear(change: number, timeZone: string): fc.Arbitrary<string> {
  const wall = asUtc(wallAt(timeZone, change)) / 60_000;
  const near = fc.integer({ min: -100, max: 100 }).map((away) => wall + away);
  return fc.oneof(near, anyTime).map(timeOf);
}

function runsBetween(schedule: Schedule, from: number, to: number): number[] {
  const runs: number[] = [];
  let at = from;
  for (;;) {
    at = nextRun(schedule, new Date(at)).getTime();
    if (at > to) return runs;
    runs.push(at);
  }
}

describe.each(zones)('the runs of a digest in %s', (timeZone) => {
  const changes = changesIn(timeZone);

  it.runIf(changes.length > 0)('occur once on each selected day, across all clock changes', () => {
    for (const change of sample(changes, 2, zones.indexOf(timeZone))) {
      const minutes = minutesAround(timeZone, change, 4);
      const [from, to] = [change - 3 * dayMs, change + 3 * dayMs];
      const days = Array.from({ length: 17 }, (_, index) =>
        asUtc(`${wallAt(timeZone, change + (index - 8) * (dayMs / 2)).slice(0, 10)} 00:00`),
      );
      const property = fc.property(timesNear(change, timeZone), weekdays, (time, chosen) => {
        const wanted = [...new Set(days)]
          .filter((day) => chosen.includes(new Date(day).getUTCDay() || 7))
          .map((day) =>
            runOn(minutes, asUtc(`${new Date(day).toISOString().slice(0, 10)} ${time}`)),
          )
          .filter((at) => at !== undefined && at > from && at <= to);
        expect(runsBetween({ time, weekdays: chosen, timeZone }, from, to)).toEqual(wanted);
      });
      fc.assert(property, propertyRuns(20, 20));
    }
  });

  it('occur after the given time, at the selected time of day if it exists', () => {
    const anyMoment = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2028, 11, 31) });
    fc.assert(
      fc.property(anyMoment, anyTime.map(timeOf), weekdays, (after, time, chosen) => {
        const run = nextRun({ time, weekdays: chosen, timeZone }, new Date(after)).getTime();
        expect(run).toBeGreaterThan(after);
        expect(run - after).toBeLessThanOrEqual(7 * dayMs + 60 * 60_000);
        const isNearChange = changes.some((change) => Math.abs(change - run) < 60_000);
        if (!isNearChange) expect(wallAt(timeZone, run).slice(11)).toBe(time);
      }),
      propertyRuns(300, 100),
    );
  });
});

it('finds clock changes in every zone except the one that abolished them', () => {
  const counts = zones.map((zone) => [zone, changesIn(zone).length] as const);
  const without = counts.filter(([, count]) => count < 5).map(([zone]) => zone);
  expect(without).toEqual(['America/Sao_Paulo']);
});

describe('in Berlin', () => {
  const daily = (time: string) => ({ time, weekdays: everyDay, timeZone: 'Europe/Berlin' });
  const following = (iso: string, time: string) =>
    nextRun(daily(time), new Date(iso)).toISOString();

  it('a run at a skipped time is when the gap ends', () => {
    expect(following('2026-03-28T12:00:00Z', '02:30')).toBe('2026-03-29T01:00:00.000Z');
    expect(following('2026-03-29T01:00:00Z', '02:30')).toBe('2026-03-30T00:30:00.000Z');
  });

  it('a run at a repeated time is the first time', () => {
    expect(following('2026-10-24T12:00:00Z', '02:30')).toBe('2026-10-25T00:30:00.000Z');
    expect(following('2026-10-25T00:30:00Z', '02:30')).toBe('2026-10-26T01:30:00.000Z');
  });

  it('the next run on a single weekday is a week later', () => {
    const monday = { ...daily('09:00'), weekdays: [1] };
    expect(nextRun(monday, new Date('2026-11-23T08:00:00Z')).toISOString()).toBe(
      '2026-11-30T08:00:00.000Z',
    );
  });
});

it('throws without weekdays', () => {
  const never = { time: '09:00', weekdays: [], timeZone: 'Etc/UTC' };
  expect(() => nextRun(never, new Date())).toThrow('at least one weekday');
});
