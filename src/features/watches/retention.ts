import { addDays } from 'date-fns/addDays';
import type { Alert } from '../../dataprotection/resources/alerts.ts';
import { serviceMoment } from './alert-facts.ts';

const clearedDays = 90;
/** As long as a message of a watch can be edited. */
const maxDays = 400;

/** Watches remember what was seen since these moments. */
export type Remembered = { clearedSince: Date; since: Date };

export function rememberedAt(now: Date): Remembered {
  return { clearedSince: addDays(now, -clearedDays), since: addDays(now, -maxDays) };
}

/** Whether an alert that no watch remembers may have been told and forgotten since. */
export function mayBeForgotten({ raisedTimestamp, clearedTimestamp }: Alert, now: Date): boolean {
  const { clearedSince, since } = rememberedAt(now);
  const [raised, cleared] = [serviceMoment(raisedTimestamp), serviceMoment(clearedTimestamp)];
  return (
    (raised !== undefined && raised < since) || (cleared !== undefined && cleared < clearedSince)
  );
}
