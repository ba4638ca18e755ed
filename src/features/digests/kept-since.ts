import { subDays } from 'date-fns/subDays';

/** A year and a little more of what was told and of how policies were kept is remembered. */
const keptDays = 400;

export function keptSince(now: Date): Date {
  return subDays(now, keptDays);
}
