import { type Alert, listNewestAlerts } from '../../dataprotection/alerts.ts';
import type { ServiceClient } from '../../dataprotection/client.ts';
import { matchesFilter } from './matches-filter.ts';
import { parseTimestamp } from './timestamp.ts';

export const alertsPerPage = 5;

export type AlertQuery = {
  /** Kept are the alerts that contain it; empty keeps all. */
  filter: string;
  /** From 1, the newest. */
  pageNumber: number;
  /** The newest update when the first page was shown: later ones must not shift the pages. */
  asOf?: string | undefined;
};

export type FoundAlerts = AlertQuery & {
  alerts: Alert[];
  hasOlder: boolean;
  /** Where the search ended before its time: older alerts were not looked at. */
  stopped: { lookedAt: number; backTo: string | undefined } | undefined;
};

/** `signal` ends the search with what was found; `maxServicePages` does so for a long list. */
export type Patience = { signal: AbortSignal; maxServicePages: number };

/**
 * One page of the active alerts, newest first. No service looks for a text in all that the list
 * shows, so this walks back from the newest alert and stops when the page, and one alert more, is full. Throws
 * `ServiceError` if nothing could be read at all.
 */
export async function findAlerts(
  client: ServiceClient,
  { filter, pageNumber, asOf }: AlertQuery,
  { signal, maxServicePages }: Patience,
): Promise<FoundAlerts> {
  const from = (pageNumber - 1) * alertsPerPage;
  const to = from + alertsPerPage;
  const matches: Alert[] = [];
  let anchor = asOf;
  let lookedAt = 0;
  let servicePages = 0;
  let oldest: Alert | undefined;

  const found = (isStopped: boolean): FoundAlerts => ({
    filter,
    pageNumber,
    asOf: anchor,
    alerts: matches.slice(from, to),
    hasOlder: matches.length > to,
    stopped: isStopped ? { lookedAt, backTo: oldest?.updatedTimestamp } : undefined,
  });

  try {
    const pages = listNewestAlerts(client, { filter: { isCleared: false }, signal });
    for await (const { items, examined } of pages) {
      if (servicePages === maxServicePages) return found(true);
      servicePages += 1;
      lookedAt += examined.length;
      oldest = examined.at(-1);
      anchor ??= parseTimestamp(examined[0]?.updatedTimestamp)?.toISOString();
      matches.push(
        ...items.filter((alert) => !isNewerThan(alert, anchor) && matchesFilter(alert, filter)),
      );
      if (matches.length > to) return found(false);
    }
    return found(false);
  } catch (error) {
    if (signal.aborted && lookedAt > 0) return found(true);
    throw error;
  }
}

function isNewerThan({ updatedTimestamp }: Alert, anchor: string | undefined): boolean {
  const updated = parseTimestamp(updatedTimestamp);
  return anchor !== undefined && updated !== undefined && updated > new Date(anchor);
}
