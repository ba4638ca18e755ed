import type { ServiceClient } from '../../dataprotection/client.ts';
import type { Alert } from '../../dataprotection/resources/alerts.ts';
import type { AlertSearch } from './alert-search.ts';
import { alertsPerPage, noneShown, notIn, type PageMarks } from './page-marks.ts';
import { type Patience, readMatching } from './read-matching.ts';

export type AlertQuery = {
  search: AlertSearch;
  /** From 1. */
  pageNumber: number;
  /** The newest update when the first page was shown: what is new since then is on no page. */
  asOf?: string | undefined;
  /** By the pages before this one; none by the first. */
  shown?: PageMarks | undefined;
};

export type FoundAlerts = AlertQuery & {
  now: Date;
  shown: PageMarks;
  /** Those of the page. */
  alerts: Alert[];
  hasMore: boolean;
  /** All that were found, to be counted; more when not all alerts were looked at. */
  matched: Alert[];
  isComplete: boolean;
  /** Where the search ended before its time: older alerts were not looked at; or any, where it shrank. */
  stopped: { lookedAt: number; backTo: string | undefined; hasShrunk?: boolean } | undefined;
};

/** `hurry` ends the counting of what is not on the page. */
export type PagePatience = Patience & { hurry: AbortSignal };

/**
 * One page of what a search means, as counted as `hurry` allows: the first of those that no page before
 * it has shown, so that what is cleared or comes again between two pages moves none past the reader.
 * Newest first, it is there as soon as it is full, with one alert more; in any other order, all must be
 * read before. Throws as `readMatching`.
 */
export async function findAlerts(
  client: ServiceClient,
  { search, pageNumber, asOf, shown = noneShown }: AlertQuery,
  { now, hurry, ...patience }: PagePatience & { now: Date },
): Promise<FoundAlerts> {
  const isWanted = notIn(shown);
  const enough =
    search.sort === '-updated' ? { count: alertsPerPage + 1, isWanted, hurry } : undefined;
  const found = await readMatching(client, search, { ...patience, now, asOf, enough });
  const { matched, isComplete, hasShrunk, lookedAt, backTo, newest } = found;
  const left = matched.filter(isWanted);
  const hasMore = left.length > alertsPerPage;
  const isFullPage = enough !== undefined && hasMore;
  return {
    ...{ search, pageNumber, asOf: newest, shown, now, matched, isComplete, hasMore },
    alerts: left.slice(0, alertsPerPage),
    stopped: isComplete || isFullPage ? undefined : { lookedAt, backTo, hasShrunk },
  };
}
