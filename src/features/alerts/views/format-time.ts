import { z } from 'zod';
import { age, safe } from '../../../slack/ui/mrkdwn.ts';

const isoTimestamp = z.iso.datetime({ offset: true });

/** The moment a timestamp of the service names; undefined when it is not an ISO 8601 one. */
export function parseTimestamp(text: string | undefined): Date | undefined {
  const parsed = isoTimestamp.safeParse(text);
  return parsed.success ? new Date(parsed.data) : undefined;
}

/** How long ago, in the reader's own time zone; a timestamp that cannot be read is shown as it is. */
export function ageOf(timestamp: string): string {
  const at = parseTimestamp(timestamp);
  return at ? age(at) : safe(timestamp, 60);
}
