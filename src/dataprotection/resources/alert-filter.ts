import type { Alert } from './alerts.ts';

/** Which alerts are meant: those for which all of it holds. Names are compared whatever their case. */
export type AlertFilter = {
  /** False for all that are not cleared, of whatever other status. */
  isCleared?: boolean | undefined;
  severities?: readonly string[] | undefined;
  types?: readonly string[] | undefined;
  /** That moment included. An alert that does not say when it was updated is not meant. */
  updatedSince?: Date | undefined;
  /** Part of the name of what the alert is about. */
  primaryEntityName?: string | undefined;
};

/** The same meaning as on a service that filters, for those that do not. */
export function matchesAlertFilter(alert: Alert, filter: AlertFilter): boolean {
  const { severities, types, updatedSince, primaryEntityName } = filter;
  return (
    (filter.isCleared === undefined || isCleared(alert) === filter.isCleared) &&
    isOneOf(severities, alert.severity) &&
    isOneOf(types, alert.type) &&
    (updatedSince === undefined || updateOf(alert) >= updatedSince.getTime()) &&
    includes(alert.primaryEntity?.value, primaryEntityName)
  );
}

/** By its status; one that tells none is cleared once it says when. */
export function isCleared({ status, clearedTimestamp }: Alert): boolean {
  return status ? status === 'cleared' : Boolean(clearedTimestamp);
}

export function isUpdatedBefore(alert: Alert, moment: Date): boolean {
  return updateOf(alert) < moment.getTime();
}

/** Not a number, which is neither before nor after anything, when the alert does not say. */
function updateOf({ updatedTimestamp = '' }: Alert): number {
  return Date.parse(updatedTimestamp);
}

function isOneOf(values: readonly string[] | undefined, value: string | undefined): boolean {
  return values === undefined || (value !== undefined && values.includes(value));
}

function includes(text = '', part = ''): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}
