import { nearestOf } from '../../slack/typed-filter.ts';

/** True for names of the IANA database, not for bare offsets, which know no summer time. */
export function isTimeZone(name: string): boolean {
  return nameOf(name) === name;
}

/** The zone that was typed, in its own spelling, or the name that was probably meant. */
export function readTimeZone(
  typed: string,
): { timeZone: string } | { nearest: string | undefined } {
  const wanted = typed.replaceAll(/\s+/g, '_');
  const timeZone = nameOf(wanted);
  return timeZone === undefined ? { nearest: nearestZone(wanted) } : { timeZone };
}

function nameOf(typed: string): string | undefined {
  const listed = Intl.supportedValuesOf('timeZone').find(
    (zone) => zone.toLowerCase() === typed.toLowerCase(),
  );
  if (listed) return listed;
  if (!/^[a-z]/i.test(typed)) return undefined;
  try {
    // Not all names that are known are listed: older spellings and UTC are not.
    const known = new Intl.DateTimeFormat('en', { timeZone: typed }).resolvedOptions().timeZone;
    return /^[A-Za-z_]+\/[A-Za-z_/+-]+\d*$/.test(typed) ? typed : known;
  } catch {
    return undefined;
  }
}

/** By the city, which is what people know of a zone. */
function nearestZone(typed: string): string | undefined {
  const zones = Intl.supportedValuesOf('timeZone');
  const city = typed.split('/').at(-1)?.toLowerCase() ?? '';
  const cities = new Map(zones.map((zone) => [zone.split('/').at(-1)?.toLowerCase() ?? '', zone]));
  const near = nearestOf(city, [...cities.keys()]);
  return near === undefined ? undefined : cities.get(near);
}
