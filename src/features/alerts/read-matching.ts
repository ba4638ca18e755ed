import type { ServiceClient } from '../../dataprotection/client.ts';
import { ServiceError } from '../../dataprotection/http/errors.ts';
import { type Alert, listNewestAlerts } from '../../dataprotection/resources/alerts.ts';
import type { AlertSearch } from './alert-search.ts';
import { matchesAlertSearch, serviceFilterOf } from './matches-search.ts';
import { sortAlerts } from './sort-alerts.ts';
import { parseTimestamp } from './views/format-time.ts';

/** `signal` ends a search with what was found; `maxServicePages` does so for a long list. */
export type Patience = { signal: AbortSignal; maxServicePages: number };

export type SearchOptions = Patience & {
  now: Date;
  /** Alerts that are new since then are left out. */
  asOf?: string | undefined;
  /** With so many that are wanted, the search ends as soon as `hurry` says so. */
  enough?: { count: number; isWanted: (alert: Alert) => boolean; hurry: AbortSignal } | undefined;
};

export type Matching = {
  /** In the order of the search. */
  matched: Alert[];
  /** The newest update there was. */
  newest: string | undefined;
  /** Whether all alerts were looked at; if not, and `hasShrunk` neither, the older ones were not. */
  isComplete: boolean;
  /** It was read to its end, but became shorter meanwhile, so some of it may have slipped through. */
  hasShrunk: boolean;
  lookedAt: number;
  /** All that was updated since then was looked at. */
  backTo: string | undefined;
};

/**
 * The alerts that a search means, as far as patience goes. What the service can filter is asked of
 * it; for the rest this walks back from the newest alert. Throws `ServiceError` if nothing could be
 * read at all, and when the service fails before there was enough. A list that becomes shorter on the
 * way is read once more, unless what is wanted was found.
 */
export async function readMatching(
  client: ServiceClient,
  search: AlertSearch,
  options: SearchOptions,
): Promise<Matching> {
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
  { now, asOf, enough, signal, maxServicePages }: SearchOptions,
): Promise<Matching> {
  const matched: Alert[] = [];
  let newest = asOf;
  let lookedAt = 0;
  let oldest: Alert | undefined;
  let servicePages = 0;
  let wanted = 0;
  const hasEnough = () => enough !== undefined && wanted >= enough.count;
  let total = 0;
  // What is taken out of a list moves an alert from the next page to the one that was read.
  let hasShrunk = false;
  const ended = (isAtEnd: boolean): Matching => ({
    matched: sortAlerts(matched, search.sort),
    ...{ newest, lookedAt, isComplete: isAtEnd && !hasShrunk, hasShrunk: isAtEnd && hasShrunk },
    backTo: hasShrunk ? undefined : oldest?.updatedTimestamp,
  });

  const filter = serviceFilterOf(search, now);
  const hurried = new AbortController();
  const stopCounting = () => hurried.abort();
  try {
    const signals = AbortSignal.any([signal, hurried.signal]);
    const pages = listNewestAlerts(client, { filter, signal: signals });
    for await (const { items, examined, totalCount = total } of pages) {
      if (servicePages === maxServicePages) return ended(false);
      servicePages += 1;
      hasShrunk ||= totalCount < total;
      total = totalCount;
      lookedAt += examined.length;
      oldest = examined.at(-1) ?? oldest;
      newest ??= parseTimestamp(examined[0]?.updatedTimestamp)?.toISOString();
      for (const alert of items) {
        if (isNewSince(alert, newest) || !matchesAlertSearch(alert, search, now)) continue;
        matched.push(alert);
        if (enough?.isWanted(alert)) wanted += 1;
      }
      if (!(enough && hasEnough())) continue;
      if (enough.hurry.aborted) return ended(false);
      enough.hurry.addEventListener('abort', stopCounting);
    }
    return ended(true);
  } catch (error) {
    // What is left would only have been counted.
    if (hurried.signal.aborted || (hasEnough() && error instanceof ServiceError)) {
      return ended(false);
    }
    if (signal.aborted && lookedAt > 0) return ended(false);
    throw error;
  }
}

/** One that came more than once may have been there before, whenever it says it was raised. */
function isNewSince({ raisedTimestamp, raisedCount = 1 }: Alert, anchor?: string): boolean {
  const raised = raisedCount > 1 ? undefined : parseTimestamp(raisedTimestamp);
  return anchor !== undefined && raised !== undefined && raised > new Date(anchor);
}
