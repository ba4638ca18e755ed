import type { CallOptions, ServiceClient } from '../../src/dataprotection/client.ts';
import { listPages } from '../../src/dataprotection/paging/list-pages.ts';
import { alertSchema } from '../../src/dataprotection/resources/alert-schema.ts';

/** Individual alerts in the order of the service, from the 1-based position `start` on. */
export function listAlerts(
  client: ServiceClient,
  { sort, start, signal }: CallOptions & { sort?: 'updated_timestamp'; start?: string } = {},
) {
  const list = { target: ['alerts', 'individual'], query: { sort, start } };
  return listPages(client, { ...list, itemSchema: alertSchema }, { signal });
}
