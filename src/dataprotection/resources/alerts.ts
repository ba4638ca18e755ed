import type { CallOptions, ServiceClient } from '../client.ts';
import { dialectRules } from '../dialects/dialect.ts';
import { listPages, listPagesFromEnd, takeUnseen } from '../paging/list-pages.ts';
import type { Page } from '../paging/page.ts';
import { type AlertFilter, isUpdatedBefore, matchesAlertFilter } from './alert-filter.ts';
import { type Alert, alertSchema } from './alert-schema.ts';

export type { Alert, AlertDetails, AlertEntity } from './alert-schema.ts';

const target = ['alerts', 'individual'];

/** `items` match the filter; `examined` are all items, to show how far back a search got. */
type AlertPage = Page<Alert> & { examined: Alert[] };

/**
 * The individual alerts that match the filter (§4 Endpoints: GET /alerts/individual), most recently
 * updated first, none twice. A service that only sorts ascending, as documented, is read from its last
 * page backward: two requests for the first page, which is as short as the list's last page happens to be.
 * @throws {ServiceError}
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
  const { newestAlerts, pageSize } = dialectRules[client.dialect];
  if (!newestAlerts) {
    const query = { sort: 'updated_timestamp' };
    yield* listPagesFromEnd(client, { target, query, itemSchema: alertSchema }, options);
    return;
  }
  const query = { ...pageSize, ...newestAlerts(filter) };
  // An alert updated meanwhile moves to the front, which pushes others to the next page again.
  const seen = new Set<string>();
  for await (const page of listPages(client, { target, query, itemSchema: alertSchema }, options)) {
    yield { ...page, items: takeUnseen(page.items, seen) };
  }
}

/**
 * One alert (§4 Endpoints: GET /alerts/individual/{alert_id}).
 * @throws {NotFoundError} if there is no such alert.
 */
export function readAlert(
  client: ServiceClient,
  alertId: string,
  { signal }: CallOptions = {},
): Promise<Alert> {
  return client.send({ method: 'GET', target: [...target, alertId], signal }, alertSchema);
}
