/**
 * The protocol between the page and the reference service, whose alerts change only on request.
 *
 * `POST /playground/alerts` an AlertChange as JSON, same origin as the page, answered with an
 * AlertAnswer, or 4xx for anything else.
 */
import { z } from 'zod';

export const alertsPath = '/playground/alerts';

export const alertChangeSchema = z.discriminatedUnion('change', [
  z.strictObject({ change: z.literal('raise'), count: z.int().min(1).max(100) }),
  /** These two change the newest active alert that was raised here. */
  z.strictObject({ change: z.literal('raise-again') }),
  z.strictObject({ change: z.literal('clear') }),
]);
export type AlertChange = z.infer<typeof alertChangeSchema>;

/** What was changed, or why nothing was. */
export type AlertAnswer = { said: string } | { error: string };
