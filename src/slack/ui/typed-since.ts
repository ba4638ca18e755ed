import { TZDate } from '@date-fns/tz/date';
import { z } from 'zod';
import { addDays, lightFormat, startOfDay, subDays, subHours, subWeeks } from '../../dates.ts';
import { code } from './mrkdwn.ts';
import { suggest } from './suggest.ts';

const age = /^([1-9]\d{0,3})([hdw])$/;
const subtract = { h: subHours, d: subDays, w: subWeeks };

/** By the number that `getDay` gives them. */
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
export const dayNames = ['today', 'yesterday', ...weekdays];

/** `2h`, `2d`, `1w`, `today`, `yesterday`, the last `monday`, or a date such as `2026-11-01`. */
export function isSince(text: string): boolean {
  return age.test(text) || isDayName(text) || z.iso.date().safeParse(text).success;
}

/** Whether it means the beginning of a day, which depends on the time zone. */
export function isDay(since: string): boolean {
  return !age.test(since);
}

export function isDayName(since: string): boolean {
  return dayNames.includes(since);
}

/** The date that `since` means now. A day begins in `timeZone`, or in UTC if that is unknown. */
export function resolveSince(since: string, now: Date, timeZone?: string | undefined): Date {
  const [, amount, unit] = age.exec(since) ?? [];
  if (unit === 'h' || unit === 'd' || unit === 'w') return subtract[unit](now, Number(amount));
  if (isDayName(since)) return beginOfNamedDay(since, inZone(now, timeZone));
  return beginOfDate(since, timeZone);
}

/** When a date (`YYYY-MM-DD`), or the day `daysLater`, begins; in UTC if the time zone is unknown. */
export function beginOfDate(date: string, timeZone: string | undefined, daysLater = 0): Date {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const zone = isTimeZone(timeZone) ? timeZone : 'UTC';
  return new Date(new TZDate(year, month - 1, day + daysLater, zone).getTime());
}

/** Whether the runtime knows this IANA name. */
export function isTimeZone(timeZone: string | undefined): timeZone is string {
  return timeZone !== undefined && !Number.isNaN(new TZDate(0, timeZone).getTime());
}

/** In UTC if the time zone is unknown. */
export function inZone(at: Date, timeZone: string | undefined): TZDate {
  return new TZDate(at.getTime(), isTimeZone(timeZone) ? timeZone : 'UTC');
}

/** The date (`YYYY-MM-DD`) of `today`, `tomorrow`, the next `friday` or `fri`, or a date itself. */
export function readDay(word: string, today: TZDate): string | undefined {
  if (z.iso.date().safeParse(word).success) return word;
  const weekday =
    word.length < 3 ? -1 : weekdays.findIndex((name) => name === word || name.slice(0, 3) === word);
  const named = ['today', 'tomorrow'].indexOf(word);
  if (named === -1 && weekday === -1) return undefined;
  const days = named === -1 ? (weekday - today.getDay() + 7) % 7 || 7 : named;
  return lightFormat(addDays(today, days), 'yyyy-MM-dd');
}

/** A weekday is the last one, or today. */
function beginOfNamedDay(name: string, now: TZDate): Date {
  const weekday = weekdays.indexOf(name);
  const daysAgo = weekday === -1 ? dayNames.indexOf(name) : (now.getDay() - weekday + 7) % 7;
  return new Date(startOfDay(subDays(now, daysAgo)).getTime());
}

/** What is wrong with the value typed after `since:`, in mrkdwn; undefined when it is valid. */
export function sinceProblem(
  typed: string,
  now: Date,
  timeZone: string | undefined,
): string | undefined {
  const since = typed.toLowerCase();
  if (!isSince(since)) {
    const near = suggest(since, dayNames);
    const hint = near ? ` Did you mean ${code(`since:${near}`)}?` : '';
    return `Unknown time ${code(`since:${typed}`, 60)}.${hint} ${examples}`;
  }
  return resolveSince(since, now, timeZone) > now ? 'That date is in the future.' : undefined;
}

const examples = 'Use `2h`, `2d`, `1w`, `yesterday`, `monday` or a date such as `2026-11-01`.';
