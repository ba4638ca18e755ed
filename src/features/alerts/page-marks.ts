import { createHash } from 'node:crypto';
import type { Alert } from '../../dataprotection/resources/alerts.ts';

export const alertsPerPage = 5;

/** So short that a button can carry many, so long that two alerts hardly ever share one. */
const markLength = 6;

/**
 * The alerts of the pages so far, in short. By them a page begins behind those before it, whatever was
 * cleared or came again meanwhile: a position or a moment would skip what moves.
 */
export type PageMarks = string;

export const noneShown: PageMarks = '';

export function shownWith(shown: PageMarks, alerts: readonly Alert[]): PageMarks {
  return shown + alerts.map(markOf).join('');
}

/** Those of the pages before a page. */
export function shownBefore(shown: PageMarks, pageNumber: number): PageMarks {
  return shown.slice(0, Math.max(0, pageNumber - 1) * alertsPerPage * markLength);
}

export function notIn(shown: PageMarks): (alert: Alert) => boolean {
  const marks = new Set(shown.match(new RegExp(`.{${markLength}}`, 'g')));
  return (alert) => !marks.has(markOf(alert));
}

function markOf({ id }: Alert): string {
  return createHash('sha256').update(id).digest('base64url').slice(0, markLength);
}
