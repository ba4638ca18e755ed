import { tzOffset } from '@date-fns/tz/tzOffset';

/** When a digest comes: a time on the wall, on these days, where its readers live. */
export type Schedule = {
  /** `HH:MM` */
  time: string;
  /** 1 is Monday, 7 is Sunday. */
  weekdays: readonly number[];
  /** IANA name. */
  timeZone: string;
};

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/**
 * The next moment strictly after `after` at which it is that time on such a day. Each such day of the
 * calendar has exactly one: where the clock is set forward past it, the first moment after the gap;
 * where the clock is set back and shows it twice, the first of the two.
 */
export function nextRun({ time, weekdays, timeZone }: Schedule, after: Date): Date {
  const today = Math.floor(localTime(timeZone, after.getTime()) / dayMs);
  // A gap can move the run of yesterday into today; beyond a week the same days come again.
  for (let day = today - 1; day <= today + 8; day += 1) {
    if (!weekdays.includes(weekdayOf(day))) continue;
    const run = firstMomentOf(timeZone, day * dayMs + minutesOf(time) * minuteMs);
    if (run > after.getTime()) return new Date(run);
  }
  throw new Error('a schedule needs at least one weekday');
}

export function minutesOf(time: string): number {
  const [hours, minutes] = time.split(':');
  return Number(hours) * 60 + Number(minutes);
}

/** What the clocks there show at a moment, counted as if it were UTC. */
export function localTime(timeZone: string, at: number): number {
  return at + tzOffset(timeZone, new Date(at)) * minuteMs;
}

/** The first moment at which the clocks there show `wall`, or more where they never show it. */
export function firstMomentOf(timeZone: string, wall: number): number {
  // No offset is more than a day, so these two are those before and after a change that matters.
  const offsets = [wall - dayMs, wall + dayMs].map((at) => localTime(timeZone, at) - at);
  const candidates = offsets.map((offset) => wall - offset).sort((one, other) => one - other);
  const shown = candidates.find((at) => localTime(timeZone, at) === wall);
  const [early = wall, late = wall] = candidates;
  return shown ?? endOfGap(timeZone, wall, { early, late });
}

/** Between the two the clock is set forward, once. */
function endOfGap(
  timeZone: string,
  wall: number,
  between: { early: number; late: number },
): number {
  let { early, late } = between;
  while (late - early > 1) {
    const middle = Math.floor((early + late) / 2);
    if (localTime(timeZone, middle) < wall) early = middle;
    else late = middle;
  }
  return late;
}

/** Day 0, the first of 1970, was a Thursday. */
function weekdayOf(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1;
}
