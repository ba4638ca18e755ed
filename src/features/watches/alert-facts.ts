import { createHash } from 'node:crypto';
import { isCleared } from '../../dataprotection/resources/alert-filter.ts';
import type { Alert } from '../../dataprotection/resources/alerts.ts';
import { parseTimestamp } from '../../dataprotection/timestamp.ts';
import type { AlertFacts } from './watch.ts';

/**
 * A service that runs on several machines may list an alert a moment after a newer one, so each poll
 * reads this much before the high-water mark again. Alerts already seen there are recognized.
 */
const maxLatenessMs = 5_000;

export function beforeLateArrivals(mark: Date): Date {
  return new Date(mark.getTime() - maxLatenessMs);
}

export function factsOf(alert: Alert): AlertFacts {
  const { raisedCount, severity, notes } = alert;
  return {
    updatedAt: parseTimestamp(alert.updatedTimestamp),
    raisedCount,
    severity: severity && asStored(severity),
    notesHash: notes?.trim() ? hash(notes.trim()) : undefined,
    isCleared: isCleared(alert),
  };
}

const maxSeverityLength = 100;

/** The severity as the database returns it; otherwise it would look changed at every poll. */
function asStored(severity: string): string {
  return severity.slice(0, maxSeverityLength).toWellFormed().replaceAll('\0', '\uFFFD');
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
