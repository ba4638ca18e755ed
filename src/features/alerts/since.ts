import { subDays } from 'date-fns/subDays';
import { subHours } from 'date-fns/subHours';
import { subWeeks } from 'date-fns/subWeeks';
import { z } from 'zod';

const age = /^([1-9]\d{0,3})([hdw])$/;
const subtract = { h: subHours, d: subDays, w: subWeeks };

/** `2h`, `2d`, `1w`, or a day such as `2026-11-01`. */
export function isSince(text: string): boolean {
  return age.test(text) || z.iso.date().safeParse(text).success;
}

/** The moment that it names now. A day begins when it does in UTC, for everybody the same. */
export function momentOf(since: string, now: Date): Date {
  const [, amount, unit] = age.exec(since) ?? [];
  if (unit === 'h' || unit === 'd' || unit === 'w') return subtract[unit](now, Number(amount));
  return new Date(`${since}T00:00:00Z`);
}

export function isToCome(since: string, now: Date): boolean {
  return momentOf(since, now) > now;
}
