import { suggest } from '../../slack/ui/suggest.ts';

/** Whether this is a name of the IANA database, in upper or lower case; not an offset or abbreviation. */
export function isTimeZone(name: string): boolean {
  return findZone(name) !== undefined;
}

export type ReadZone =
  | { timeZone: string }
  | { abbreviation: string; example: string }
  | { nearest: string | undefined };

/**
 * The zone that was typed, by its name or its city, in the spelling of the IANA database; else a
 * suggestion. Abbreviations are not accepted: some name several zones, and most are only valid for
 * half of the year.
 */
export function readTimeZone(typed: string): ReadZone {
  const normalized = typed.trim().replaceAll(/\s+/g, '_');
  const abbreviation = normalized.toUpperCase();
  const example = examples.get(abbreviation);
  if (example) return { abbreviation, example };
  const timeZone = findZone(normalized) ?? findCity(normalized);
  return timeZone === undefined ? { nearest: suggestZone(normalized) } : { timeZone };
}

/** Abbreviations, with one of the zones that each can mean. */
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

function findZone(typed: string): string | undefined {
  const isTyped = (zone: string) => zone.toLowerCase() === typed.toLowerCase();
  const listed = Intl.supportedValuesOf('timeZone').find(isTyped);
  if (listed) return listed;
  // Intl knows more names than it lists: UTC, and older and newer spellings.
  const known = canonicalName(typed);
  if (known === undefined || isTyped(known)) return known;
  if (!typed.includes('/')) return undefined;
  if (known === 'UTC') return 'Etc/UTC';
  // Intl turns "Asia/Kathmandu" into an older spelling of the same place.
  const named = capitalizeWords(typed);
  return named.split('/')[0] === known.split('/')[0] ? named : known;
}

/** The one zone with this city. */
function findCity(typed: string): string | undefined {
  const [zone, ...others] = Intl.supportedValuesOf('timeZone').filter((name) => {
    return name.includes('/') && cityOf(name) === typed.toLowerCase();
  });
  return others.length === 0 ? zone : undefined;
}

function cityOf(zone: string): string {
  return zone.split('/').at(-1)?.toLowerCase() ?? '';
}

function canonicalName(typed: string): string | undefined {
  if (!/^[a-z]/i.test(typed)) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: typed }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

function capitalizeWords(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[a-z]+/g, ([first = '', ...rest]) => [first.toUpperCase(), ...rest].join(''));
}

/** The zone that Intl resolves it to, else the nearest by city, the part that people know. */
function suggestZone(typed: string): string | undefined {
  const known = canonicalName(typed);
  if (known !== undefined) return known;
  const zones = Intl.supportedValuesOf('timeZone');
  const cities = new Map(zones.map((zone) => [cityOf(zone), zone]));
  const near = suggest(cityOf(typed), [...cities.keys()]);
  return near === undefined ? undefined : cities.get(near);
}
