import { z } from 'zod';
import type { Alert } from '../../dataprotection/resources/alerts.ts';
import { nextRun } from '../../jobs/next-run.ts';
import { isTimeZone } from '../../slack/ui/typed-since.ts';
import { readTime, severityRank } from '../alerts/index.ts';

const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);

/** From one time of day (`HH:MM`) to another, every day; over midnight if `to` is the earlier one. */
export const quietHours = z
  .object({ from: time, to: time, timeZone: z.string().refine(isTimeZone) })
  .refine(({ from, to }) => from !== to);

export type QuietHours = z.infer<typeof quietHours>;

/** `22:00-07:00` or `10 pm to 7 am`. Undefined for anything else. UTC if the time zone is unknown. */
export function readQuietHours(
  typed: string,
  timeZone: string | undefined,
): QuietHours | undefined {
  const [from = '', to = '', ...rest] = typed.toLowerCase().split(/ ?(?:-|–|to|until) ?/);
  // Slack may know a zone that this runtime does not: the hours must not get lost for that.
  const zone = isTimeZone(timeZone) ? timeZone : 'Etc/UTC';
  const read = { from: readTime(from), to: readTime(to), timeZone: zone };
  return rest.length > 0 ? undefined : quietHours.safeParse(read).data;
}

/** "22:00–07:00 Europe/Berlin" */
export function formatQuietHours({ from, to, timeZone }: QuietHours): string {
  return `${from}–${to} ${timeZone}`;
}

/** When the quiet hours end that last at this moment; undefined outside them. */
export function quietUntil({ from, to, timeZone }: QuietHours, now: Date): Date | undefined {
  const end = nextRun({ time: to, timeZone }, now);
  return end < nextRun({ time: from, timeZone }, now) ? end : undefined;
}

/** Warnings and notices. Errors, and severities that Belay doesn't know, come at once. */
export function mayWait(alert: Pick<Alert, 'severity'>): boolean {
  const rank = severityRank(alert);
  return rank > 0 && rank < severityRank({ severity: 'error' });
}
