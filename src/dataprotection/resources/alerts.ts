import type { CallOptions, ServiceClient } from '../client.ts';
import { wireFormat } from '../dialects/wire-format.ts';
import type { Page } from '../paging/page.ts';
import { listPages, listPagesFromEnd, takeUnseen } from '../paging/paging.ts';
import { type AlertFilter, isUpdatedBefore, matchesAlertFilter } from './alert-filter.ts';
import { alertSchema } from './alert-schema.ts';

/** What an alert is about; `value` is its name. */
export type AlertEntity = {
  id?: string | undefined;
  type?: string | undefined;
  value?: string | undefined;
  otherFields: Record<string, unknown>;
};

/** `type` and `cause` in words for people; `description` says what to do. */
export type AlertDetails = {
  type?: string | undefined;
  cause?: string | undefined;
  description?: string | undefined;
  variables?: Record<string, string> | undefined;
  otherFields: Record<string, unknown>;
};

/**
 * An individual alert. The contract shows its id and `updatedTimestamp` only, so everything else
 * may be missing. Timestamps are ISO 8601 strings; `clearedTimestamp` is there once it is cleared;
 * `raisedCount` counts occurrences on the same entity. Types, severities and statuses are open
 * sets of words.
 */
export type Alert = {
  id: string;
  type?: string | undefined;
  cause?: string | undefined;
  severity?: string | undefined;
  status?: string | undefined;
  notes?: string | undefined;
  raisedCount?: number | undefined;
  raisedTimestamp?: string | undefined;
  updatedTimestamp?: string | undefined;
  clearedTimestamp?: string | undefined;
  consolidatedAlertId?: string | undefined;
  primaryEntity?: AlertEntity | undefined;
  parentEntity?: AlertEntity | undefined;
  tags?: AlertEntity[] | undefined;
  details?: AlertDetails | undefined;
  etag?: string | undefined;
  otherFields: Record<string, unknown>;
};

const target = ['alerts', 'individual'];

/**
 * Individual alerts, page by page (contract, section 4: GET /alerts/individual). The one
 * documented sort is by last update, ascending; `start` is the 1-based position to begin at.
 * Without a sort the order is the service's. Throws `ServiceError`.
 */
export function listAlerts(
  client: ServiceClient,
  { sort, start, signal }: CallOptions & { sort?: 'updated_timestamp'; start?: string } = {},
): AsyncGenerator<Page<Alert>> {
  const query = { sort, start };
  return listPages(client, { target, query, itemSchema: alertSchema }, { signal });
}

/** `items` are those that are meant; `examined` all that came, to say how far back a search got. */
export type AlertPage = Page<Alert> & { examined: Alert[] };

/**
 * The individual alerts that the filter means, from the most recently updated back, none twice. A
 * service that sorts only ascending is walked back from its last page: two requests to the first
 * page given, which is as short as the last page of the list happens to be.
 */
export async function* listNewestAlerts(
  client: ServiceClient,
  { filter = {}, ...options }: CallOptions & { filter?: AlertFilter } = {},
): AsyncGenerator<AlertPage> {
  const { updatedSince } = filter;
  for await (const page of newestFirst(client, filter, options)) {
    const items = page.items.filter((alert) => matchesAlertFilter(alert, filter));
    yield { ...page, items, examined: page.items };
    const oldest = page.items.at(-1);
    if (updatedSince && oldest && isUpdatedBefore(oldest, updatedSince)) return;
  }
}

async function* newestFirst(
  client: ServiceClient,
  filter: AlertFilter,
  options: CallOptions,
): AsyncGenerator<Page<Alert>> {
  const { newestAlerts, pageSize } = wireFormat(client.dialect);
  if (!newestAlerts) {
    const query = { sort: 'updated_timestamp' };
    yield* listPagesFromEnd(client, { target, query, itemSchema: alertSchema }, options);
    return;
  }
  const query = { ...pageSize, ...newestAlerts(filter) };
  // What is updated meanwhile moves to the front, and pushes others to the next page once more.
  const seen = new Set<string>();
  for await (const page of listPages(client, { target, query, itemSchema: alertSchema }, options)) {
    yield { ...page, items: takeUnseen(page.items, seen) };
  }
}

/** One alert (contract, section 4: GET /alerts/individual/{alert_id}). May throw `NotFoundError`. */
export function readAlert(
  client: ServiceClient,
  alertId: string,
  { signal }: CallOptions = {},
): Promise<Alert> {
  return client.send({ method: 'GET', target: [...target, alertId], signal }, alertSchema);
}
