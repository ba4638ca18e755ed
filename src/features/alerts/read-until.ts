import { z } from 'zod';
import { addDays, addHours, addMinutes, addWeeks } from '../../dates.ts';
import { nextRun } from '../../jobs/next-run.ts';
import { beginOfDate, inZone, isTimeZone, readDay } from '../../slack/ui/typed-since.ts';

const defaultTime = '09:00';
const add = { m: addMinutes, h: addHours, d: addDays, w: addWeeks };

/**
 * The moment that a person means by `4h`, `until friday 14:00`, `tomorrow`, `9 pm` or
 * `2026-12-01 09:00`; a day without a time begins at 9:00. Undefined for anything else, and for a moment
 * that has passed. `timeZone`: of the person; UTC if unknown.
 */
export function readUntil(
  typed: string,
  now: Date,
  timeZone: string | undefined,
): Date | undefined {
  const text = typed
    .trim()
    .toLowerCase()
    .replace(/^(?:until|till|for) /, '');
  const zone = isTimeZone(timeZone) ? timeZone : 'UTC';
  const until = readAge(text, now) ?? readClock(text, now, zone);
  return until && until > now ? until : undefined;
}

function readAge(text: string, now: Date): Date | undefined {
  const words = /^(\d{1,3}) ?(?:(m)in(?:ute)?s?|([mhdw])|(h)(?:ou)?rs?|(d)ays?|(w)eeks?)$/;
  const [, amount, ...units] = words.exec(text) ?? [];
  const unit = z.enum(['m', 'h', 'd', 'w']).safeParse(units.find(Boolean));
  return unit.success ? add[unit.data](now, Number(amount)) : undefined;
}

function readClock(text: string, now: Date, timeZone: string): Date | undefined {
  const words = text.split(/[\s,]+/).filter((word) => word !== 'at');
  const [first = '', ...rest] = words;
  const date = readDay(first, inZone(now, timeZone));
  const time = readTime((date ? rest : words).join(' ') || (date ? defaultTime : ''));
  if (time === undefined) return undefined;
  const schedule = { time, timeZone };
  if (date === undefined) return nextRun(schedule, now);
  return nextRun(schedule, new Date(beginOfDate(date, timeZone).getTime() - 1));
}

/** `HH:MM`, from `14:00`, `9am` or `9:30 pm`. */
export function readTime(text: string): string | undefined {
  const [, hours = '', minutes = '00', half] =
    /^(\d{1,2})(?::(\d{2}))? ?(am|pm)?$/.exec(text) ?? [];
  const typed = Number(hours || Number.NaN);
  const isPossible = half ? typed >= 1 && typed <= 12 : typed <= 23;
  // A bare number could be an hour or a mistake.
  if (!isPossible || Number(minutes) > 59 || (!half && !text.includes(':'))) return undefined;
  const hour = half ? (typed % 12) + (half === 'pm' ? 12 : 0) : typed;
  return `${String(hour).padStart(2, '0')}:${minutes}`;
}
