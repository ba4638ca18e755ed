import type { Alert } from '../../dataprotection/resources/alerts.ts';
import { parseTimestamp } from '../../dataprotection/timestamp.ts';
import type { AlertSearch } from './alert-search.ts';

type Key = (alert: Alert) => number | undefined;

const ranks = new Map([
  ['error', 3],
  ['warning', 2],
  ['notice', 1],
]);

const keys: Record<string, Key> = {
  updated: ({ updatedTimestamp }) => parseTimestamp(updatedTimestamp)?.getTime(),
  raised: ({ raisedTimestamp }) => parseTimestamp(raisedTimestamp)?.getTime(),
  severity: severityRank,
};

/** Higher is worse; a severity that Belay does not know ranks lowest. */
export function severityRank({ severity = '' }: Pick<Alert, 'severity'>): number {
  return ranks.get(severity) ?? 0;
}

/** Whether the severity has risen, or become one that Belay doesn't know. */
export function isWorseThan(
  alert: Pick<Alert, 'severity'>,
  severityBefore: string | undefined,
): boolean {
  if (!alert.severity || alert.severity === severityBefore) return false;
  const rank = severityRank(alert);
  return rank === 0 || rank > severityRank({ severity: severityBefore });
}

/**
 * Sorts alerts that were read newest update first into the order of a search; equal ones keep their
 * order. An alert without the time that is sorted by comes last in both directions.
 */
export function sortAlerts(alerts: Alert[], sort: AlertSearch['sort']): Alert[] {
  if (sort === '-updated') return alerts;
  const isDescending = sort.startsWith('-');
  const keyOf = keys[isDescending ? sort.slice(1) : sort];
  return alerts
    .map((alert) => ({ alert, key: keyOf?.(alert) }))
    .sort((one, other) => compare(one.key, other.key, isDescending))
    .map(({ alert }) => alert);
}

function compare(a: number | undefined, b: number | undefined, isDescending: boolean): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return isDescending ? b - a : a - b;
}
