import type { Alert } from '../../dataprotection/alerts.ts';
import type { ServiceClient } from '../../dataprotection/client.ts';
import type { AlertSearch } from './alert-search.ts';
import { type Matching, type Patience, readMatching } from './read-matching.ts';

export const alertsPerPage = 5;

export type AlertQuery = {
  search: AlertSearch;
  /** From 1. */
  pageNumber: number;
  /** The newest update when the first page was shown: later ones must not shift the pages. */
  asOf?: string | undefined;
};

export type FoundAlerts = AlertQuery & {
  now: Date;
  /** Those of the page. */
  alerts: Alert[];
  hasMore: boolean;
  /** All that were found, to be counted; more when not all alerts were looked at. */
  matched: Alert[];
  isComplete: boolean;
  /** Where the search ended before its time: older alerts were not looked at. */
  stopped: { lookedAt: number; backTo: string | undefined } | undefined;
};

/** `hurry` ends the counting of what is not on the page. */
export type PagePatience = Patience & { hurry: AbortSignal };

/**
 * One page of what a search means, as counted as `hurry` allows. Newest first, it is there as soon as
 * it is full, with one alert more; in any other order, all must be read before. Throws as `readMatching`.
 */
export async function findAlerts(
  client: ServiceClient,
  { search, pageNumber, asOf }: AlertQuery,
  { now, hurry, ...patience }: PagePatience & { now: Date },
): Promise<FoundAlerts> {
  const from = (pageNumber - 1) * alertsPerPage;
  const to = from + alertsPerPage;
  const enough = search.sort === '-updated' ? { count: to + 1, hurry } : undefined;
  const found = await readMatching(client, search, { ...patience, now, asOf, enough });
  const { matched, isComplete, lookedAt, backTo, newest } = found;
  const hasMore = matched.length > to;
  const isFullPage = enough !== undefined && hasMore;
  return {
    ...{ search, pageNumber, asOf: newest, now, matched, isComplete, hasMore },
    alerts: matched.slice(from, to),
    stopped: isComplete || isFullPage ? undefined : { lookedAt, backTo },
  };
}

/**
 * All alerts that a search means, in its order, as far as patience goes: `isComplete` tells whether
 * all were looked at. Throws as `readMatching`.
 */
export function findAlertsFor(
  client: ServiceClient,
  search: AlertSearch,
  options: Patience & { now: Date },
): Promise<Matching> {
  return readMatching(client, search, options);
}
