import { firstMomentOf, localTime, minutesOf } from './next-run.ts';

/** From one time on the wall to another, over midnight where `to` is the earlier one. `to` is not quiet. */
export type QuietHours = { from: string; to: string };

export function isQuietTime({ from, to }: QuietHours, time: string): boolean {
  const [start, end, asked] = [minutesOf(from), minutesOf(to), minutesOf(time)];
  return start <= end ? asked >= start && asked < end : asked >= start || asked < end;
}

/** When the quiet that holds at this moment ends; undefined when none holds. */
export function endOfQuiet(
  quiet: QuietHours | undefined,
  timeZone: string,
  now: Date,
): Date | undefined {
  if (!quiet) return undefined;
  const wall = localTime(timeZone, now.getTime());
  const minuteOfDay = Math.floor(wall / minuteMs) % minutesADay;
  if (!isQuietTime(quiet, timeOf(minuteOfDay))) return undefined;
  const midnight = Math.floor(wall / dayMs) * dayMs;
  const end = midnight + minutesOf(quiet.to) * minuteMs;
  const first = firstMomentOf(timeZone, end > wall ? end : end + dayMs);
  // An hour that the clocks show twice is quiet both times, and then only so long.
  return new Date(first > now.getTime() ? first : now.getTime() + (end - wall));
}

const minuteMs = 60_000;
const minutesADay = 24 * 60;
const dayMs = minutesADay * minuteMs;

function timeOf(minuteOfDay: number): string {
  const [hours, minutes] = [Math.floor(minuteOfDay / 60), minuteOfDay % 60];
  return [hours, minutes].map((part) => String(part).padStart(2, '0')).join(':');
}
