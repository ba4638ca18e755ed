import type { CallOptions, ServiceClient } from '../client.ts';
import { adjacentPage, type PageTarget } from './adjacent-page.ts';
import type { Page } from './page.ts';
import { createPageReader, type Identified, type List, unexpectedList } from './page-reader.ts';

/**
 * All pages from the first (or `query.start`) on, in the service's order. If the list changes
 * meanwhile, an item can be missed or repeated: the service doesn't freeze lists. From the second
 * page on, the next page is requested while a page is used.
 * @throws {UnexpectedResponseError} for a list that repeats or doesn't end.
 */
export async function* listPages<Item extends Identified>(
  client: ServiceClient,
  list: List<Item>,
  { signal: caller }: CallOptions = {},
): AsyncGenerator<Page<Item>> {
  const { fetchPage, readItems } = createPageReader(client, list);
  const first = await fetchPage(undefined, caller);
  yield readItems(first);

  const unneeded = new AbortController();
  const signal = caller ? AbortSignal.any([caller, unneeded.signal]) : unneeded.signal;
  const fetchAfter = (page: Page<unknown>) => {
    const target = adjacentPage(client.dialect, page, 'next');
    const fetched = target && fetchPage(target, signal);
    // Awaited later. The rejection of a page that is never read is ignored on purpose.
    fetched?.catch(() => {});
    return fetched;
  };
  try {
    for (let next = fetchAfter(first); next; ) {
      const page = await next;
      next = fetchAfter(page);
      yield readItems(page);
    }
  } finally {
    unneeded.abort();
  }
}

/**
 * A list sorted ascending, read backward: last page first, last item first, no item twice. Costs
 * one request more than reading forward. Items added after the last page was read are missing.
 * @throws {UnexpectedResponseError} for a list that repeats or doesn't say where it ends.
 */
export async function* listPagesFromEnd<Item extends Identified>(
  client: ServiceClient,
  list: List<Item>,
  options: CallOptions = {},
): AsyncGenerator<Page<Item>> {
  const { signal } = options;
  const { dialect } = client;
  const first = await createPageReader(client, list).readPage(undefined, signal);
  const seen = new Set<string>();
  if (!adjacentPage(dialect, first, 'next')) {
    yield { ...first, items: takeUnseen(first.items.toReversed(), seen) };
    return;
  }
  const last = adjacentPage(dialect, first, 'last');
  if (!last) throw unexpectedList(client, list, 'the list does not say where it ends');

  // A new reader, because the first page is read again: it may have changed meanwhile.
  const { readPage } = createPageReader(client, list);
  for (let target: PageTarget | undefined = last; target; ) {
    const page: Page<Item> = await readPage(target, signal);
    const items = takeUnseen(page.items.toReversed(), seen);
    if (items.length > 0) yield { ...page, items };
    target = adjacentPage(dialect, page, 'prev');
  }
}

/** The items whose id isn't in `seen`; adds them to it. */
export function takeUnseen<Item extends Identified>(items: Item[], seen: Set<string>): Item[] {
  return items.filter(({ id }) => {
    const isUnseen = !seen.has(id);
    seen.add(id);
    return isUnseen;
  });
}
