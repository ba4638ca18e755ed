type Reader = { timeZone: string; now: Date };

const DAY_MS = 86_400_000;
/** Slack omits the year of dates closer than this. */
const YEARLESS_DAYS = 182;

/** Fills Slack's date tokens, such as `{date_short} at {time}`, for the reader's time zone. */
export function formatSlackDate(unixSeconds: number, format: string, reader: Reader): string {
  const date = new Date(unixSeconds * 1000);
  return format.replace(
    /\{(\w+)\}/g,
    (token, name: string) => formatToken(name, date, reader) ?? token,
  );
}

function formatToken(name: string, date: Date, reader: Reader): string | undefined {
  const { timeZone } = reader;
  switch (name) {
    case 'date_num':
      return dayOf(date, timeZone);
    case 'date':
      return longDate(date, reader);
    case 'date_short':
      return shortDate(date, reader);
    case 'date_long':
      return `${part(date, timeZone, { weekday: 'long' })}, ${longDate(date, reader)}`;
    case 'date_pretty':
      return nearbyDay(date, reader) ?? formatToken('date', date, reader);
    case 'date_short_pretty':
      return nearbyDay(date, reader) ?? formatToken('date_short', date, reader);
    case 'date_long_pretty':
      return nearbyDay(date, reader) ?? formatToken('date_long', date, reader);
    case 'time':
      return part(date, timeZone, { hour: 'numeric', minute: '2-digit' });
    case 'time_secs':
      return part(date, timeZone, { hour: 'numeric', minute: '2-digit', second: '2-digit' });
    case 'ago':
      return ago(date, reader.now);
    default:
      return undefined;
  }
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Kept, because creating one takes longer than drawing a whole message. */
function formatter(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options]);
  const known = formatters.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formatters.set(key, known);
  return known;
}

function part(date: Date, timeZone: string, options: Intl.DateTimeFormatOptions): string {
  const text = formatter('en-US', { timeZone, ...options }).format(date);
  // Newer browsers put a narrow no-break space before AM and PM.
  return text.replaceAll('\u202f', ' ');
}

function longDate(date: Date, reader: Reader): string {
  const month = part(date, reader.timeZone, { month: 'long' });
  return `${month} ${ordinal(dayOfMonth(date, reader))}${yearSuffix(date, reader)}`;
}

function shortDate(date: Date, reader: Reader): string {
  const month = part(date, reader.timeZone, { month: 'short' });
  return `${month} ${dayOfMonth(date, reader)}${yearSuffix(date, reader)}`;
}

function dayOfMonth(date: Date, { timeZone }: Reader): number {
  return Number(part(date, timeZone, { day: 'numeric' }));
}

function yearSuffix(date: Date, reader: Reader): string {
  if (Math.abs(daysFromToday(date, reader)) < YEARLESS_DAYS) return '';
  return `, ${part(date, reader.timeZone, { year: 'numeric' })}`;
}

function ordinal(day: number): string {
  const suffixes: Record<string, string> = { one: 'st', two: 'nd', few: 'rd' };
  const rule = new Intl.PluralRules('en', { type: 'ordinal' }).select(day);
  return `${day}${suffixes[rule] ?? 'th'}`;
}

/** The date in the time zone, as `2026-11-21`. */
function dayOf(date: Date, timeZone: string): string {
  return formatter('sv-SE', { timeZone }).format(date);
}

function daysFromToday(date: Date, { timeZone, now }: Reader): number {
  const day = (moment: Date) => Date.parse(`${dayOf(moment, timeZone)}T00:00:00Z`);
  return Math.round((day(date) - day(now)) / DAY_MS);
}

function nearbyDay(date: Date, reader: Reader): string | undefined {
  const names: Record<string, string> = { '-1': 'yesterday', '0': 'today', '1': 'tomorrow' };
  return names[daysFromToday(date, reader)];
}

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * DAY_MS],
  ['month', 30 * DAY_MS],
  ['day', DAY_MS],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

function ago(date: Date, now: Date): string {
  const distance = date.getTime() - now.getTime();
  const found = units.find(([, length]) => Math.abs(distance) >= length);
  if (!found) return 'just now';
  const [unit, length] = found;
  return new Intl.RelativeTimeFormat('en').format(Math.trunc(distance / length), unit);
}
