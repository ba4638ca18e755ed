import type { CallOptions, ServiceClient } from '../client.ts';
import { isSameTarget, neighbour, type PageTarget, predictNextPage } from './adjacent-page.ts';
import type { Page } from './page.ts';
import {
  createPageReader,
  type FetchedPage,
  type Identified,
  type List,
  misleadingList,
} from './page-reader.ts';
import { readAhead } from './prefetch.ts';

/**
 * All pages from the first (or `query.start`) on, as the service orders them. The list may change
 * meanwhile: an item that moves can then be missed or come twice, as the service has it. Whoever
 * asks for the second page will want the third, so from there on pages are on their way early.
 */
export async function* listPages<Item extends Identified>(
  client: ServiceClient,
  list: List<Item>,
  options: CallOptions = {},
): AsyncGenerator<Page<Item>> {
  const { fetchPage: fetch, checkPage, readItems: read } = createPageReader(client, list);
  const { dialect } = client;
  const nextOf = (fetched: FetchedPage) => neighbour(dialect, checkPage(fetched), 'next');
  const guessAfter = (target: PageTarget, { page }: FetchedPage) =>
    predictNextPage(dialect, page, target);
  const first = await fetch(undefined, options.signal);
  const second = nextOf(first);
  yield read(first);
  const steps = { fetch, nextOf, guessAfter, isSame: isSameTarget, read };
  yield* readAhead(second, steps, options.signal);
}

/**
 * A list that is sorted ascending, from its end: last page first, last item first, no item twice.
 * Costs one request more than reading forward. What arrives after the last page was read is not
 * in it.
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
  if (!neighbour(dialect, first, 'next')) {
    yield { ...first, items: takeUnseen(first.items.toReversed(), seen) };
    return;
  }
  const last = neighbour(dialect, first, 'last');
  if (!last) throw misleadingList(client, list, 'the list does not say where it ends');

  // A reader of its own, which reads the first page again: it may have changed on the way back.
  const { readPage } = createPageReader(client, list);
  for (let target: PageTarget | undefined = last; target; ) {
    const page: Page<Item> = await readPage(target, signal);
    const items = takeUnseen(page.items.toReversed(), seen);
    if (items.length > 0) yield { ...page, items };
    target = neighbour(dialect, page, 'prev');
  }
}

/** Those that did not come before, not even on the same page; from now on they did. */
export function takeUnseen<Item extends Identified>(items: Item[], seen: Set<string>): Item[] {
  return items.filter(({ id }) => {
    const isUnseen = !seen.has(id);
    seen.add(id);
    return isUnseen;
  });
}
