import { TZDate } from '@date-fns/tz/date';
import { subDays } from 'date-fns/subDays';
import { subHours } from 'date-fns/subHours';
import { subWeeks } from 'date-fns/subWeeks';
import { z } from 'zod';
import { code } from './mrkdwn.ts';

const age = /^([1-9]\d{0,3})([hdw])$/;
const subtract = { h: subHours, d: subDays, w: subWeeks };

/** `2h`, `2d`, `1w`, or a day such as `2026-11-01`. */
export function isSince(text: string): boolean {
  return age.test(text) || z.iso.date().safeParse(text).success;
}

export function isDay(since: string): boolean {
  return !age.test(since);
}

/** The date that `since` means now. A day begins in `timeZone`, or in UTC if that is unknown. */
export function resolveSince(since: string, now: Date, timeZone?: string | undefined): Date {
  const [, amount, unit] = age.exec(since) ?? [];
  if (unit === 'h' || unit === 'd' || unit === 'w') return subtract[unit](now, Number(amount));
  const [year = 0, month = 0, day = 0] = since.split('-').map(Number);
  const begin = new TZDate(year, month - 1, day, timeZone ?? 'UTC').getTime();
  return new Date(Number.isNaN(begin) ? `${since}T00:00:00Z` : begin);
}

export function isFuture(since: string, now: Date, timeZone: string | undefined): boolean {
  return resolveSince(since, now, timeZone) > now;
}

/** What is wrong with the value typed after `since:`, in mrkdwn; undefined when it is valid. */
export function sinceProblem(
  typed: string,
  now: Date,
  timeZone: string | undefined,
): string | undefined {
  const since = typed.toLowerCase();
  const quoted = code(`since:${typed}`, 60);
  if (!isSince(since)) return `Belay does not understand ${quoted}. ${examples}`;
  return isFuture(since, now, timeZone) ? `${quoted} is still to come. ${examples}` : undefined;
}

const examples = 'Use `2h`, `2d`, `1w`, or a day such as `2026-11-01`.';
