import type { AuditPage } from './audit-filter.ts';
import type { AuditRecord, AuditStore } from './store/audit-store.ts';

const entriesPerPage = 10;
/** Counting every entry of a log with a million would take seconds. */
const maxCounted = 1000;

export type AuditListPage = {
  page: AuditPage;
  records: AuditRecord[];
  hasNewer: boolean;
  hasOlder: boolean;
  /** Where the page is among the matching entries; undefined if it starts behind those counted. */
  range: { start: number; total: number; isTotalComplete: boolean } | undefined;
};

/** The page's entries, newest first. Fewer than a page of newer entries are shown as the first page. */
export async function readAuditPage(
  store: Pick<AuditStore, 'list' | 'listNumbers'>,
  teamId: string,
  page: AuditPage,
): Promise<AuditListPage> {
  const { by, user, event, since, before, after } = page;
  const filter = { teamId, by, user, event, since: since ? new Date(since) : undefined };
  // One more than shown, to know whether there is another page.
  const limit = entriesPerPage + 1;
  const [found, numbers] = await Promise.all([
    store.list({ ...filter, before, after, limit }),
    store.listNumbers(filter, maxCounted + 1),
  ]);
  const hasMore = found.length > entriesPerPage;
  if (after !== undefined && found.length < entriesPerPage) {
    return readAuditPage(store, teamId, { ...page, before: undefined, after: undefined });
  }
  const records =
    after === undefined ? found.slice(0, entriesPerPage) : found.slice(-entriesPerPage);
  const start = numbers.indexOf(records[0]?.seq ?? 0) + 1;
  const isTotalComplete = numbers.length <= maxCounted;
  const total = isTotalComplete ? numbers.length : maxCounted;
  return {
    page,
    records,
    hasNewer: after === undefined ? before !== undefined : hasMore,
    hasOlder: after === undefined ? hasMore : true,
    range: start > 0 && start <= maxCounted ? { start, total, isTotalComplete } : undefined,
  };
}
