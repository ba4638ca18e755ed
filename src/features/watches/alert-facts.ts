import { createHash } from 'node:crypto';
import { isCleared } from '../../dataprotection/resources/alert-filter.ts';
import type { Alert } from '../../dataprotection/resources/alerts.ts';
import type { AlertFacts } from './watch.ts';

/** What is compared of an alert to tell what is new about it. */
export function factsOf(alert: Alert): AlertFacts {
  const { raisedCount, severity, notes } = alert;
  return {
    updatedAt: serviceMoment(alert.updatedTimestamp),
    raisedCount,
    severity: severity && comparable(severity),
    notesDigest: notes?.trim() ? digestOf(notes.trim()) : undefined,
    isCleared: isCleared(alert),
  };
}

const maxSeverityLength = 100;

/** As a store gives it back, or what no database holds would look changed at every read. */
function comparable(severity: string): string {
  return severity.slice(0, maxSeverityLength).toWellFormed().replaceAll('\0', '\uFFFD');
}

/** A moment by the service's clock; undefined when it cannot be read. */
export function serviceMoment(timestamp: string | undefined): Date | undefined {
  const at = new Date(timestamp ?? '');
  return Number.isNaN(at.getTime()) ? undefined : at;
}

/** The id of an alert or, of one that no index would take, its digest. */
export function alertKey({ id }: Alert): string {
  return /^[\w.:-]{1,200}$/.test(id) ? id : `sha256:${digestOf(id)}`;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
