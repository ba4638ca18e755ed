import { subDays } from 'date-fns/subDays';

/**
 * Where the first digest begins. Fixed when it is set up, so that a first run which fails or is
 * missed leaves no gap behind it.
 */
export function firstLookBack(createdAt: Date): Date {
  return subDays(createdAt, 1);
}
