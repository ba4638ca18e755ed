import { createHash } from 'node:crypto';
import type { ServiceClient } from '../../dataprotection/client.ts';
import type { Alert } from '../../dataprotection/resources/alerts.ts';
import type { AlertSearch } from './alert-search.ts';
import { type ReadLimits, readMatching } from './read-matching.ts';

export const alertsPerPage = 10;

/** Short enough that a button can carry many, long enough that two alerts hardly ever share one. */
const markLength = 6;

/**
 * One mark of `markLength` characters for each alert on the pages so far. A page starts after the
 * alerts that were shown, because a position or a timestamp would skip alerts that moved between two
 * pages (cleared, or updated again).
 */
type PageMarks = string;

export type AlertQuery = {
  search: AlertSearch;
  /** When the first page was shown (ISO 8601), by Belay's clock; now if missing. */
  listedAt?: string | undefined;
  /** The newest update when the first page was shown (ISO 8601): newer alerts are on no page. */
  asOf?: string | undefined;
  /** Marks of the pages before this one; none for the first. */
  shown?: PageMarks | undefined;
};

export type FoundAlerts = AlertQuery & {
  now: Date;
  listedAt: string;
  shown: PageMarks;
  /** The alerts of this page. */
  alerts: Alert[];
  hasMore: boolean;
  /** All that were found, for the counts; incomplete unless `isComplete`. */
  matched: Alert[];
  isComplete: boolean;
  /** Set when the search ended early: older alerts, or some in between if it shrank, are missing. */
  stopped: { examinedCount: number; backTo: string | undefined; hasShrunk?: boolean } | undefined;
};

/** `stopCounting` ends the reading of alerts that are not on the page. */
type PageLimits = ReadLimits & { stopCounting: AbortSignal };

/**
 * Finds one page of a search: the first matches that no earlier page has shown. Sorted newest first,
 * reading may stop once the page is full and one more alert is known; any other order reads them all.
 * @throws like `readMatching`.
 */
export async function findAlerts(
  client: ServiceClient,
  { search, listedAt, asOf, shown = '' }: AlertQuery,
  { now, stopCounting, ...limits }: PageLimits & { now: Date },
): Promise<FoundAlerts> {
  const isWanted = notIn(shown);
  const enough =
    search.sort === '-updated' ? { count: alertsPerPage + 1, isWanted, stopCounting } : undefined;
  const found = await readMatching(client, search, { ...limits, now, asOf, enough });
  const { matched, isComplete, hasShrunk, examinedCount, backTo, newest } = found;
  const left = matched.filter(isWanted);
  const hasMore = left.length > alertsPerPage;
  const isFullPage = enough !== undefined && hasMore;
  return {
    search,
    asOf: newest,
    shown,
    now,
    matched,
    isComplete,
    hasMore,
    listedAt: listedAt ?? now.toISOString(),
    alerts: left.slice(0, alertsPerPage),
    stopped: isComplete || isFullPage ? undefined : { examinedCount, backTo, hasShrunk },
  };
}

export function addMarks(shown: PageMarks, alerts: readonly Alert[]): PageMarks {
  return shown + alerts.map(markOf).join('');
}

/** The marks of the page before the one that these lead to. */
export function marksOfPrevious(shown: PageMarks): PageMarks {
  return shown.slice(0, Math.max(0, shown.length - alertsPerPage * markLength));
}

/** How many alerts are on the pages so far. */
export function countMarks(shown: PageMarks): number {
  return Math.floor(shown.length / markLength);
}

function notIn(shown: PageMarks): (alert: Alert) => boolean {
  // Nothing was shown before the first page, so no alert needs to be hashed.
  if (shown === '') return () => true;
  const marks = new Set(shown.match(new RegExp(`.{${markLength}}`, 'g')));
  return (alert) => !marks.has(markOf(alert));
}

function markOf({ id }: Alert): string {
  return createHash('sha256').update(id).digest('base64url').slice(0, markLength);
}
