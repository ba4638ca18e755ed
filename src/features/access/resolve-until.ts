import { addDays, lightFormat } from '../../dates.ts';
import { beginOfDate, inZone, readDay } from '../../slack/ui/typed-since.ts';
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
  const [, amount, unit] = /^([1-9]\d{0,2})([dw])$/.exec(text) ?? [];
  if (amount === undefined) return readDay(text, inZone(now, timeZone));
  return addToToday(Number(amount) * (unit === 'w' ? 7 : 1), now, timeZone);
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
