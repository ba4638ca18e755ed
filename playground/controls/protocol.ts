/**
 * The protocol between the page and the reference service, which changes only on request.
 *
 * `POST` to one of the paths, same origin as the page, with the change as JSON. The answer is a
 * ControlAnswer, or 4xx for anything else.
 */
import { z } from 'zod';

/** Takes an AlertChange. */
export const alertsPath = '/playground/alerts';

export const alertChangeSchema = z.discriminatedUnion('change', [
  z.strictObject({ change: z.literal('raise'), count: z.int().min(1).max(100) }),
  /** These two change the newest active alert that was raised here. */
  z.strictObject({ change: z.literal('raise-again') }),
  z.strictObject({ change: z.literal('clear') }),
]);
export type AlertChange = z.infer<typeof alertChangeSchema>;

/** Takes a PolicyChange. */
export const policiesPath = '/playground/policies';

/** Changes how long a policy keeps its backups. */
export const policyChangeSchema = z.strictObject({ change: z.literal('retention') });
export type PolicyChange = z.infer<typeof policyChangeSchema>;

/** Takes a ClockChange. */
export const clockPath = '/playground/clock';

/** Moves the clock of Belay, Slack and the service. */
export const clockChangeSchema = z.strictObject({ forward: z.enum(['hour', 'day']) });
export type ClockChange = z.infer<typeof clockChangeSchema>;

/** What was changed, or why nothing was. */
export type ControlAnswer = { said: string } | { error: string };
