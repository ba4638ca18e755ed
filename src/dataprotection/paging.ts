import type { CallOptions, ServiceClient } from './client.ts';
import { wireForm } from './forms/wire-form.ts';
import type { Link } from './link.ts';
import type { Page } from './page.ts';
import {
  createPageReader,
  type Identified,
  type List,
  misleadingList,
  type PageTarget,
} from './page-reader.ts';
import { readAhead } from './read-ahead.ts';

type Direction = 'next' | 'prev' | 'last';

/**
 * All pages from the first (or `query.start`) on, as the service orders them. The list may change
 * meanwhile: an item that moves can then be missed or come twice, as the service has it. Whoever
 * asks for the second page will want the third, so from there on the next page is on its way early.
 */
export async function* listPages<Item extends Identified>(
  client: ServiceClient,
  list: List<Item>,
  options: CallOptions = {},
): AsyncGenerator<Page<Item>> {
  const { fetchPage: fetch, readItems: read } = createPageReader(client, list);
  const nextOf = (page: Page<unknown>) => neighbour(client, page, 'next');
  const first = await fetch(undefined, options.signal);
  yield read(first);
  yield* readAhead(nextOf(first), { fetch, nextOf, read }, options.signal);
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
  const firstReader = createPageReader(client, list);
  const first = firstReader.readItems(await firstReader.fetchPage(undefined, signal));
  if (!neighbour(client, first, 'next')) {
    yield { ...first, items: first.items.toReversed() };
    return;
  }
  const last = neighbour(client, first, 'last');
  if (!last) throw misleadingList(client, list, 'the list does not say where it ends');

  // A reader of its own, which reads the first page again: it may have changed on the way back.
  const { fetchPage, readItems } = createPageReader(client, list);
  const seen = new Set<string>();
  for (let target: PageTarget | undefined = last; target; ) {
    const page: Page<Item> = readItems(await fetchPage(target, signal));
    const items = page.items.toReversed().filter(({ id }) => !seen.has(id));
    for (const { id } of items) seen.add(id);
    if (items.length > 0) yield { ...page, items };
    target = neighbour(client, page, 'prev');
  }
}

/**
 * Where the page before, after or at the end is: by the service's link, else, where the form makes
 * `start` the position of a page's first item, by arithmetic on it. A service that links its pages is believed when
 * it offers no next one; its `start` may then be something else than a position.
 */
function neighbour(
  { form }: ServiceClient,
  page: Page<unknown>,
  direction: Direction,
): PageTarget | undefined {
  const link = page.links[`_${direction}`];
  if (isFollowable(link)) return { link };
  if (!wireForm(form).startIsPosition) return undefined;

  const position = Number(page.start ?? 1);
  const size = page.limit ?? page.items.length;
  const total = page.totalCount ?? 0;
  if (!Number.isSafeInteger(position) || position < 1 || size < 1) return undefined;
  if (direction === 'prev') {
    return position > 1 ? { start: String(Math.max(1, position - size)) } : undefined;
  }
  if (direction === 'last') {
    return total > 0 ? { start: String(Math.floor((total - 1) / size) * size + 1) } : undefined;
  }
  const linksPages = [page.links._next, page.links._prev].some(isFollowable);
  const next = position + page.items.length;
  return !linksPages && next <= total ? { start: String(next) } : undefined;
}

function isFollowable(link: Link | undefined): link is Link {
  return link?.type === 'get' && !link.templated;
}
