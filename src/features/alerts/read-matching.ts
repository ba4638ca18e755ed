import type { ServiceClient } from '../../dataprotection/client.ts';
import { ServiceError } from '../../dataprotection/http/errors.ts';
import { type Alert, listNewestAlerts } from '../../dataprotection/resources/alerts.ts';
import { parseTimestamp } from '../../dataprotection/timestamp.ts';
import type { AlertSearch } from './alert-search.ts';
import { createAlertMatcher, toServiceFilter } from './matches-search.ts';
import { sortAlerts } from './sort-alerts.ts';

/** Both end a search with what was found until then. */
export type ReadLimits = { signal: AbortSignal; maxServicePages: number };

type ReadOptions = ReadLimits & {
  now: Date;
  /** ISO 8601; alerts that were first raised after it are left out. */
  asOf?: string | undefined;
  /** Once `count` wanted alerts are found, reading ends as soon as `stopCounting` aborts. */
  enough?:
    | { count: number; isWanted: (alert: Alert) => boolean; stopCounting: AbortSignal }
    | undefined;
};

export type MatchingAlerts = {
  /** In the order of the search. */
  matched: Alert[];
  /** The newest update that was seen (ISO 8601), or `asOf`. */
  newest: string | undefined;
  /** Whether all alerts were examined; if not, and not `hasShrunk`, the oldest were not. */
  isComplete: boolean;
  /** The list was read to its end but became shorter meanwhile, so alerts may have been skipped. */
  hasShrunk: boolean;
  examinedCount: number;
  /** All alerts updated since this timestamp were examined. */
  backTo: string | undefined;
};

/**
 * Reads the alerts that match a search, newest update first, within the limits. The service filters
 * what it can (§4 Endpoints); the rest is filtered here. A list that shrinks while it is read is read
 * once more, unless enough was found.
 * @throws {ServiceError} if nothing could be read, or the service fails before enough was found.
 */
export async function readMatching(
  client: ServiceClient,
  search: AlertSearch,
  options: ReadOptions,
): Promise<MatchingAlerts> {
  const { enough, signal } = options;
  const first = await readOnce(client, search, options);
  const hasEnough = enough && first.matched.filter(enough.isWanted).length >= enough.count;
  if (!first.hasShrunk || hasEnough || signal.aborted) return first;
  try {
    const again = await readOnce(client, search, options);
    return again.isComplete || again.hasShrunk ? again : first;
  } catch (error) {
    if (error instanceof ServiceError) return first;
    throw error;
  }
}

async function readOnce(
  client: ServiceClient,
  search: AlertSearch,
  { now, asOf, enough, signal, maxServicePages }: ReadOptions,
): Promise<MatchingAlerts> {
  const matched: Alert[] = [];
  let newest = asOf;
  let examinedCount = 0;
  let oldest: Alert | undefined;
  let servicePages = 0;
  let wanted = 0;
  const hasEnough = () => enough !== undefined && wanted >= enough.count;
  let total = 0;
  // An alert that leaves the list moves another from the next page to the one already read.
  let hasShrunk = false;
  const result = (isAtEnd: boolean): MatchingAlerts => ({
    matched: sortAlerts(matched, search.sort),
    newest,
    examinedCount,
    isComplete: isAtEnd && !hasShrunk,
    hasShrunk: isAtEnd && hasShrunk,
    backTo: hasShrunk ? undefined : oldest?.updatedTimestamp,
  });

  const filter = toServiceFilter(search, now);
  const isMatch = createAlertMatcher(search, now);
  const counting = new AbortController();
  const stopCounting = () => counting.abort();
  try {
    const signals = AbortSignal.any([signal, counting.signal]);
    const pages = listNewestAlerts(client, { filter, signal: signals });
    for await (const { items, examined, totalCount = total } of pages) {
      if (servicePages === maxServicePages) return result(false);
      servicePages += 1;
      hasShrunk ||= totalCount < total;
      total = totalCount;
      examinedCount += examined.length;
      oldest = examined.at(-1) ?? oldest;
      newest ??= parseTimestamp(examined[0]?.updatedTimestamp)?.toISOString();
      for (const alert of items) {
        if (isRaisedAfter(alert, newest) || !isMatch(alert)) continue;
        matched.push(alert);
        if (enough?.isWanted(alert)) wanted += 1;
      }
      if (!(enough && hasEnough())) continue;
      if (enough.stopCounting.aborted) return result(false);
      enough.stopCounting.addEventListener('abort', stopCounting);
    }
    return result(true);
  } catch (error) {
    // The alerts of the page are there; the rest would only have been counted.
    if (counting.signal.aborted || (hasEnough() && error instanceof ServiceError)) {
      return result(false);
    }
    if (signal.aborted && examinedCount > 0) return result(false);
    throw error;
  } finally {
    // Otherwise this listener keeps everything that was read in memory until the timeout fires.
    enough?.stopCounting.removeEventListener('abort', stopCounting);
  }
}

/** An alert that was raised more than once may have been listed before, so it is never left out. */
function isRaisedAfter({ raisedTimestamp, raisedCount = 1 }: Alert, asOf?: string): boolean {
  const raised = raisedCount > 1 ? undefined : parseTimestamp(raisedTimestamp);
  return asOf !== undefined && raised !== undefined && raised > new Date(asOf);
}
