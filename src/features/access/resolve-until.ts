import { TZDate } from '@date-fns/tz/date';
import { z } from 'zod';
import { addDays, lightFormat } from '../../dates.ts';
import { beginOfDate, isTimeZone, weekdays } from '../../slack/ui/typed-since.ts';
import { maxStandInDays } from '../../workspace/access/store/stand-in-store.ts';

/**
 * The last day that was typed or chosen, as `YYYY-MM-DD`: that date, `today`, `tomorrow`, the next
 * `friday`, `10d` or `2w`. Undefined for anything else. `timeZone`: of the person; UTC if unknown.
 */
export function readLastDay(
  typed: string,
  now: Date,
  timeZone: string | undefined,
): string | undefined {
  const text = typed.trim().toLowerCase();
  if (z.iso.date().safeParse(text).success) return text;
  const days = countDays(text, inZone(now, timeZone).getDay());
  return days === undefined ? undefined : addToToday(days, now, timeZone);
}

function countDays(text: string, today: number): number | undefined {
  const [, amount, unit] = /^([1-9]\d{0,2})([dw])$/.exec(text) ?? [];
  if (amount) return Number(amount) * (unit === 'w' ? 7 : 1);
  if (text === 'today' || text === 'tomorrow') return text === 'today' ? 0 : 1;
  const weekday = weekdays.indexOf(text);
  return weekday === -1 ? undefined : (weekday - today + 7) % 7 || 7;
}

/** When that day ends for the person, or why it can't be the last one: plain text. */
export function endOfLastDay(
  date: string,
  now: Date,
  timeZone: string | undefined,
): { endsAt: Date } | { problem: string } {
  if (date < addToToday(0, now, timeZone)) return { problem: 'Choose today or a later day.' };
  if (date > addToToday(maxStandInDays, now, timeZone)) {
    return { problem: `Choose a day within the next ${maxStandInDays} days.` };
  }
  return { endsAt: beginOfDate(date, timeZone, 1) };
}

function addToToday(days: number, now: Date, timeZone: string | undefined): string {
  return lightFormat(addDays(inZone(now, timeZone), days), 'yyyy-MM-dd');
}

function inZone(now: Date, timeZone: string | undefined): TZDate {
  return new TZDate(now.getTime(), isTimeZone(timeZone) ? timeZone : 'UTC');
}
