import { suggest } from '../../slack/ui/suggest.ts';

/** True for names of the IANA database, not for bare offsets and abbreviations, in any spelling. */
export function isTimeZone(name: string): boolean {
  return nameOf(name) !== undefined;
}

export type ReadZone =
  | { timeZone: string }
  | { abbreviation: string; example: string }
  | { nearest: string | undefined };

/**
 * The zone that was typed, in the spelling of the IANA database. An abbreviation is none: some name
 * several zones, and most only a half of the year. Otherwise the name that was probably meant.
 */
export function readTimeZone(typed: string): ReadZone {
  const wanted = typed.trim().replaceAll(/\s+/g, '_');
  const abbreviation = wanted.toUpperCase();
  const example = examples.get(abbreviation);
  if (example) return { abbreviation, example };
  const timeZone = nameOf(wanted);
  return timeZone === undefined ? { nearest: nearestZone(wanted) } : { timeZone };
}

/** What people write of their clocks, with a zone that some of them mean. */
const examples = new Map(
  Object.entries({
    'America/New_York': ['EST', 'EDT', 'ET'],
    'America/Chicago': ['CST', 'CDT', 'CT'],
    'America/Denver': ['MST', 'MDT', 'MT'],
    'America/Los_Angeles': ['PST', 'PDT', 'PT'],
    'America/Halifax': ['AST', 'ADT'],
    'Pacific/Honolulu': ['HST'],
    'Europe/London': ['GMT', 'BST'],
    'Europe/Lisbon': ['WET', 'WEST'],
    'Europe/Berlin': ['CET', 'CEST', 'MET', 'MEZ', 'MESZ'],
    'Europe/Athens': ['EET', 'EEST'],
    'Europe/Moscow': ['MSK'],
    'Asia/Kolkata': ['IST'],
    'Asia/Singapore': ['SGT'],
    'Asia/Tokyo': ['JST'],
    'Asia/Seoul': ['KST'],
    'Australia/Sydney': ['AEST', 'AEDT'],
    'Pacific/Auckland': ['NZST', 'NZDT'],
  }).flatMap(([zone, names]) => names.map((name) => [name, zone] as const)),
);

function nameOf(typed: string): string | undefined {
  const isTyped = (zone: string) => zone.toLowerCase() === typed.toLowerCase();
  const listed = Intl.supportedValuesOf('timeZone').find(isTyped);
  if (listed) return listed;
  // Not all names that are known are listed: older and newer spellings and UTC are not.
  const known = knownAs(typed);
  if (known === undefined || isTyped(known)) return known;
  if (!typed.includes('/')) return undefined;
  if (known === 'UTC') return 'Etc/UTC';
  // Intl leads "Asia/Kathmandu" back to an older spelling of the same place.
  const named = capitalized(typed);
  return named.split('/')[0] === known.split('/')[0] ? named : known;
}

function knownAs(typed: string): string | undefined {
  if (!/^[a-z]/i.test(typed)) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: typed }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

function capitalized(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[a-z]+/g, ([first = '', ...rest]) => [first.toUpperCase(), ...rest].join(''));
}

/** By what it stands for, or by the city, which is what people know of a zone. */
function nearestZone(typed: string): string | undefined {
  const known = knownAs(typed);
  if (known !== undefined) return known;
  const zones = Intl.supportedValuesOf('timeZone');
  const city = typed.split('/').at(-1)?.toLowerCase() ?? '';
  const cities = new Map(zones.map((zone) => [zone.split('/').at(-1)?.toLowerCase() ?? '', zone]));
  const near = suggest(city, [...cities.keys()]);
  return near === undefined ? undefined : cities.get(near);
}
