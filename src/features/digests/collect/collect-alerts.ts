import type { ServiceClient } from '../../../dataprotection/client.ts';
import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import { parseTimestamp } from '../../../dataprotection/timestamp.ts';
import { subMilliseconds } from '../../../dates.ts';
import {
  type AlertSearch,
  type MatchingAlerts,
  readMatching,
  severityRank,
} from '../../alerts/index.ts';
import type { AlertGroup, Stopped } from './digest-contents.ts';

/** A digest says that a longer list is incomplete, rather than reading 100,000 alerts. */
const maxServicePages = 100;

type CollectOptions = { search: AlertSearch; now: Date; signal: AbortSignal };
type Period = { since: Date; now: Date };

/**
 * Alerts carry the service's clock, periods Belay's, and an alert can be listed a moment after it was
 * raised. So the last minute is left to the next digest, whose period begins that much earlier.
 * With a longer delay, more new alerts would be shown as open ones first.
 */
const listingDelayMs = 60_000;

/** When something must have happened to be reported in the digest of the period. */
export function reportedPeriod({ since, now }: Period) {
  return {
    after: subMilliseconds(since, listingDelayMs),
    until: subMilliseconds(now, listingDelayMs),
  };
}

/**
 * Active alerts that match, the most severe first, then the oldest. Alerts raised after `now`, while
 * the list is being read, are left to the next digest.
 *
 * @throws ServiceError
 */
export async function collectOpenAlerts(
  client: ServiceClient,
  { search, now, signal }: CollectOptions,
): Promise<AlertGroup> {
  const found = await readMatching(client, search, { now, signal, maxServicePages });
  const alerts = found.matched
    .map((alert) => ({ alert, rank: severityRank(alert), at: raisedAt(alert) }))
    .filter(({ at }) => at <= now)
    .sort((one, other) => other.rank - one.rank || one.at.getTime() - other.at.getTime())
    .map(({ alert }) => alert);
  return { alerts, stopped: stoppedAt(found) };
}

/** Splits active alerts into those raised in the period and the others. */
export function splitByPeriod(
  { alerts, stopped }: AlertGroup,
  period: Period,
): { newAlerts: AlertGroup; openAlerts: AlertGroup } {
  const reported = reportedPeriod(period);
  const { fresh = [], older = [] } = Object.groupBy(alerts, (alert) =>
    isWithin(reported, raisedAt(alert)) ? 'fresh' : 'older',
  );
  return {
    newAlerts: { alerts: fresh, stopped: stoppedSince(stopped, reported.after) },
    openAlerts: { alerts: older, stopped },
  };
}

/**
 * Alerts that match and were cleared in the period.
 *
 * @throws ServiceError
 */
export async function collectClearedAlerts(
  client: ServiceClient,
  { search, since, now, signal }: CollectOptions & Period,
): Promise<AlertGroup> {
  const reported = reportedPeriod({ since, now });
  // A search starts at a day of UTC.
  const day = reported.after.toISOString().slice(0, 10);
  const cleared = { ...search, status: 'cleared', since: day } as const;
  const options = { now, signal, maxServicePages };
  const found = await readMatching(client, cleared, options);
  const alerts = found.matched.filter(({ clearedTimestamp, updatedTimestamp }) =>
    isWithin(reported, parseTimestamp(clearedTimestamp ?? updatedTimestamp)),
  );
  return { alerts, stopped: stoppedSince(stoppedAt(found), reported.after) };
}

function isWithin({ after, until }: ReturnType<typeof reportedPeriod>, at?: Date): boolean {
  return at !== undefined && at > after && at <= until;
}

function stoppedAt({
  isComplete,
  hasShrunk,
  examinedCount,
  backTo,
}: MatchingAlerts): Stopped | undefined {
  if (isComplete) return undefined;
  return { examinedCount, backTo: parseTimestamp(backTo), hasShrunk };
}

/**
 * The list is sorted by update time, and raising or clearing an alert updates it: once the list was
 * read back to before `since`, nothing raised or cleared after that is missing.
 */
function stoppedSince(stopped: Stopped | undefined, since: Date): Stopped | undefined {
  return stopped?.backTo && stopped.backTo < since ? undefined : stopped;
}

/** In 1970 without a valid time, because such an alert would otherwise be new every day. */
function raisedAt({ raisedTimestamp, updatedTimestamp }: Alert): Date {
  return parseTimestamp(raisedTimestamp ?? updatedTimestamp) ?? new Date(0);
}
