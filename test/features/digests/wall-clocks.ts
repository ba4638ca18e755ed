/*
 * Local times calculated by Intl alone: slow and simple, to check `nextRun` against.
 */

export const minuteMs = 60_000;
export const dayMs = 24 * 60 * minuteMs;

/** One has no daylight saving time, one shifts by half an hour, four shift at or before midnight. */
export const zones = [
  'Europe/Berlin',
  'Europe/Lisbon',
  'America/New_York',
  'America/Santiago',
  'America/Sao_Paulo',
  'America/Nuuk',
  'Australia/Sydney',
  'Australia/Lord_Howe',
  'Asia/Beirut',
  'Africa/Cairo',
  'Pacific/Auckland',
];

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  formats.set(timeZone, format);
  return format;
}

/** `2026-03-29 03:00` */
export function wallAt(timeZone: string, at: number): string {
  return formatOf(timeZone).format(at);
}

/** The local time as milliseconds, as if it were UTC. */
export function asUtc(wall: string): number {
  return Date.parse(`${wall.replace(' ', 'T')}Z`);
}

function offsetAt(timeZone: string, at: number): number {
  return asUtc(wallAt(timeZone, at)) - at;
}

/** The moments of clock changes from 2026 to 2028. */
export function changesIn(timeZone: string): number[] {
  const changes: number[] = [];
  for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2029, 0, 1); at += dayMs) {
    if (offsetAt(timeZone, at) === offsetAt(timeZone, at + dayMs)) continue;
    let [before, after] = [at, at + dayMs];
    while (after - before > minuteMs) {
      const middle = before + Math.floor((after - before) / 2 / minuteMs) * minuteMs;
      if (offsetAt(timeZone, middle) === offsetAt(timeZone, at)) before = middle;
      else after = middle;
    }
    changes.push(after);
  }
  return changes;
}

/** Every minute of some days around a moment, with its local time. */
export function minutesAround(timeZone: string, at: number, days: number) {
  const minutes: { at: number; wall: number }[] = [];
  for (let one = at - days * dayMs; one < at + days * dayMs; one += minuteMs) {
    minutes.push({ at: one, wall: asUtc(wallAt(timeZone, one)) });
  }
  return minutes;
}

/** The first moment of that local time or, if clocks skip it, the first of a later one. */
export function runOn(minutes: { at: number; wall: number }[], wanted: number): number | undefined {
  const shown = minutes.find(({ wall }) => wall === wanted);
  const past = minutes.find(
    ({ wall }, index) => wall > wanted && (minutes[index - 1]?.wall ?? wall) < wanted,
  );
  return (shown ?? past)?.at;
}
