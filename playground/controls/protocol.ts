/**
 * What the page asks of the reference service: nothing happens there by itself, so somebody has to
 * make the alerts that a watch is for.
 *
 * `POST /playground/alerts` an AlertChange as JSON, same origin as the page, answered with an
 * AlertAnswer; 4xx for what is no such change.
 */
import { z } from 'zod';

export const alertsPath = '/playground/alerts';

export const alertChangeSchema = z.discriminatedUnion('change', [
  z.strictObject({ change: z.literal('raise'), count: z.int().min(1).max(100) }),
  /** These two are about the newest that was raised here and is still active. */
  z.strictObject({ change: z.literal('raise-again') }),
  z.strictObject({ change: z.literal('clear') }),
]);
export type AlertChange = z.infer<typeof alertChangeSchema>;

/** What was done, or why nothing was. */
export type AlertAnswer = { said: string } | { error: string };
