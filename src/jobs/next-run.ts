import { tzOffset } from '@date-fns/tz/tzOffset';

/**
 * `time` is `HH:MM`; weekdays count from 1, Monday, and are all seven if missing; the zone is of the IANA
 * database.
 */
type Schedule = { time: string; weekdays?: readonly number[]; timeZone: string };

const everyDay = [1, 2, 3, 4, 5, 6, 7];

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/**
 * The first moment after `after` at which clocks in the time zone show the time on one of the weekdays.
 * Each of these days has exactly one run: a time that the start of daylight saving time skips runs
 * when the gap ends, and a time that its end repeats runs the first time.
 *
 * @throws Error without weekdays
 */
export function nextRun({ time, weekdays = everyDay, timeZone }: Schedule, after: Date): Date {
  const today = Math.floor(localTime(timeZone, after.getTime()) / dayMs);
  // From yesterday, because a gap can move that day's run to today, to the same weekday next week.
  for (let day = today - 1; day <= today + 8; day += 1) {
    if (!weekdays.includes(weekdayOf(day))) continue;
    const run = firstMomentOf(timeZone, day * dayMs + minutesOf(time) * minuteMs);
    if (run > after.getTime()) return new Date(run);
  }
  throw new Error('a schedule needs at least one weekday');
}

function minutesOf(time: string): number {
  const [hours, minutes] = time.split(':');
  return Number(hours) * 60 + Number(minutes);
}

/** What clocks in the zone show at a moment, as milliseconds as if that were UTC. */
function localTime(timeZone: string, at: number): number {
  return at + tzOffset(timeZone, new Date(at)) * minuteMs;
}

/** The first moment at which clocks in the zone show `local` or, if they skip it, a later time. */
function firstMomentOf(timeZone: string, local: number): number {
  // No offset exceeds a day, so these are the offsets before and after any change that matters.
  const offsets = [local - dayMs, local + dayMs].map((at) => localTime(timeZone, at) - at);
  const candidates = offsets.map((offset) => local - offset).sort((one, other) => one - other);
  const shown = candidates.find((at) => localTime(timeZone, at) === local);
  const [early = local, late = local] = candidates;
  return shown ?? endOfGap(timeZone, local, { early, late });
}

/** Binary search: clocks are set forward exactly once between the two moments. */
function endOfGap(
  timeZone: string,
  local: number,
  between: { early: number; late: number },
): number {
  let { early, late } = between;
  while (late - early > 1) {
    const middle = Math.floor((early + late) / 2);
    if (localTime(timeZone, middle) < local) early = middle;
    else late = middle;
  }
  return late;
}

/** `day` counts from 1970-01-01, a Thursday. */
function weekdayOf(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1;
}
