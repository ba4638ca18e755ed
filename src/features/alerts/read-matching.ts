import { type Alert, listNewestAlerts } from '../../dataprotection/alerts.ts';
import type { ServiceClient } from '../../dataprotection/client.ts';
import { ServiceError } from '../../dataprotection/errors.ts';
import type { AlertSearch } from './alert-search.ts';
import { matchesAlertSearch, serviceFilterOf } from './matches-search.ts';
import { sortAlerts } from './sort-alerts.ts';
import { parseTimestamp } from './timestamp.ts';

/** `signal` ends a search with what was found; `maxServicePages` does so for a long list. */
export type Patience = { signal: AbortSignal; maxServicePages: number };

export type SearchOptions = Patience & {
  now: Date;
  /** Alerts that were updated later are left out. */
  asOf?: string | undefined;
  /** With so many, the search ends as soon as `hurry` says so. */
  enough?: { count: number; hurry: AbortSignal } | undefined;
};

export type Matching = {
  /** In the order of the search. */
  matched: Alert[];
  /** The newest update there was. */
  newest: string | undefined;
  /** Whether all alerts were looked at; if not, the older ones were not. */
  isComplete: boolean;
  lookedAt: number;
  /** The oldest update that was looked at. */
  backTo: string | undefined;
};

/**
 * The alerts that a search means. What the service can filter is asked of it; for the rest this walks
 * back from the newest alert. Throws `ServiceError` if nothing could be read at all, and when the
 * service fails before there was enough.
 */
export async function readMatching(
  client: ServiceClient,
  search: AlertSearch,
  { now, asOf, enough, signal, maxServicePages }: SearchOptions,
): Promise<Matching> {
  const matched: Alert[] = [];
  let newest = asOf;
  let lookedAt = 0;
  let oldest: Alert | undefined;
  let servicePages = 0;
  const hasEnough = () => enough !== undefined && matched.length >= enough.count;
  const ended = (isComplete: boolean): Matching => ({
    matched: sortAlerts(matched, search.sort),
    ...{ newest, isComplete, lookedAt, backTo: oldest?.updatedTimestamp },
  });

  const filter = serviceFilterOf(search, now);
  const hurried = new AbortController();
  const stopCounting = () => hurried.abort();
  try {
    const signals = AbortSignal.any([signal, hurried.signal]);
    for await (const { items, examined } of listNewestAlerts(client, { filter, signal: signals })) {
      if (servicePages === maxServicePages) return ended(false);
      servicePages += 1;
      lookedAt += examined.length;
      oldest = examined.at(-1) ?? oldest;
      newest ??= parseTimestamp(examined[0]?.updatedTimestamp)?.toISOString();
      for (const alert of items) {
        if (!isNewerThan(alert, newest) && matchesAlertSearch(alert, search, now)) {
          matched.push(alert);
        }
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

function isNewerThan({ updatedTimestamp }: Alert, anchor: string | undefined): boolean {
  const updated = parseTimestamp(updatedTimestamp);
  return anchor !== undefined && updated !== undefined && updated > new Date(anchor);
}
