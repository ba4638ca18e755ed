import { parseTimestamp } from '../timestamp.ts';
import type { Alert } from './alert-schema.ts';

/** Conditions that must all hold. */
export type AlertFilter = {
  /** False for every status but cleared. */
  isCleared?: boolean | undefined;
  severities?: readonly string[] | undefined;
  types?: readonly string[] | undefined;
  /** Inclusive. An alert without an update time doesn't match. */
  updatedSince?: Date | undefined;
};

/** The filter as the live service applies it, for services that don't filter. */
export function matchesAlertFilter(alert: Alert, filter: AlertFilter): boolean {
  const { severities, types, updatedSince } = filter;
  return (
    (filter.isCleared === undefined || isCleared(alert) === filter.isCleared) &&
    isOneOf(severities, alert.severity) &&
    isOneOf(types, alert.type) &&
    (updatedSince === undefined || updatedAt(alert) >= updatedSince.getTime())
  );
}

/** By its status; without a status, by whether it has a cleared time. */
export function isCleared({ status, clearedTimestamp }: Alert): boolean {
  return status ? status === 'cleared' : Boolean(clearedTimestamp);
}

export function isUpdatedBefore(alert: Alert, moment: Date): boolean {
  return updatedAt(alert) < moment.getTime();
}

/** NaN, which is neither before nor after anything, if the alert has no update time. */
function updatedAt({ updatedTimestamp }: Alert): number {
  return parseTimestamp(updatedTimestamp)?.getTime() ?? Number.NaN;
}

function isOneOf(values: readonly string[] | undefined, value: string | undefined): boolean {
  return values === undefined || (value !== undefined && values.includes(value));
}
