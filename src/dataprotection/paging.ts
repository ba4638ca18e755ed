import type { z } from 'zod';
import type { CallOptions, ServiceClient } from './client.ts';
import { AnswerNotUnderstoodError } from './errors.ts';
import { wireForm } from './forms/wire-form.ts';
import type { Link } from './link.ts';
import { type Page, pageSchema } from './page.ts';
import { describeRequest, type RequestTarget } from './request-path.ts';

type Identified = { id: string };

/** A list of the service: where it is, what is asked of it, and what its items look like. */
export type List<Item extends Identified> = {
  target: RequestTarget;
  query?: Record<string, string | undefined>;
  itemSchema: z.ZodType<Item>;
  /** More pages than this are no list of the service, but one that has no end. */
  maxPages?: number;
};

type PageTarget = { link: Link } | { start: string };
type Direction = 'next' | 'prev' | 'last';

const mostPages = 10_000;

/**
 * All pages from the first (or `query.start`) on, as the service orders them. The list may change
 * meanwhile: an item that moves can then be missed or come twice, as the service has it.
 */
export async function* listPages<Item extends Identified>(
  client: ServiceClient,
  list: List<Item>,
  options: CallOptions = {},
): AsyncGenerator<Page<Item>> {
  const readPage = createPageReader(client, list, options);
  const nextOf = (page: Page<Item>) => neighbour(client, page, 'next');
  let page = await readPage();
  yield page;
  for (let next = nextOf(page); next; next = nextOf(page)) {
    page = await readPage(next);
    yield page;
  }
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
  const first = await createPageReader(client, list, options)();
  if (!neighbour(client, first, 'next')) {
    yield { ...first, items: first.items.toReversed() };
    return;
  }
  const last = neighbour(client, first, 'last');
  if (!last) throw misleadingList(client, list, 'the list does not say where it ends');

  // A reader of its own, which reads the first page again: it may have changed on the way back.
  const readPage = createPageReader(client, list, options);
  const seen = new Set<string>();
  for (let target: PageTarget | undefined = last; target; ) {
    const page: Page<Item> = await readPage(target);
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

/**
 * Reads pages of one list and stops, with an error, a walk that comes by the same page again or
 * does not end.
 */
function createPageReader<Item extends Identified>(
  client: ServiceClient,
  list: List<Item>,
  { signal }: CallOptions,
) {
  const { itemSchema, target, maxPages = mostPages } = list;
  const schema = pageSchema(itemSchema);
  const visited = new Set<string>();
  return async (at?: PageTarget): Promise<Page<Item>> => {
    const start = at && 'start' in at ? at.start : list.query?.start;
    const page = await client.send(
      at && 'link' in at
        ? { method: 'GET', target: at.link, signal }
        : { method: 'GET', target, query: { ...list.query, start }, signal },
      schema,
    );
    const identity = identityOf(client, page, at);
    if (visited.has(identity)) throw misleadingList(client, list, 'the same page came twice');
    if (visited.size === maxPages) throw misleadingList(client, list, 'the list does not end');
    visited.add(identity);
    return page;
  };
}

/** A page is known again by its position; by its items where `start` is whatever the service likes. */
function identityOf(
  { form }: ServiceClient,
  { start, items }: Page<Identified>,
  at: PageTarget | undefined,
): string {
  if (start !== undefined && wireForm(form).startIsPosition) return start;
  const address = at && 'link' in at ? at.link.href : '';
  return items.length > 0
    ? `${items.length} ${items[0]?.id} ${items.at(-1)?.id}`
    : `at ${start} ${address}`;
}

function misleadingList(client: ServiceClient, list: List<Identified>, what: string) {
  const request = describeRequest('GET', client.baseUrl, list.target);
  return new AnswerNotUnderstoodError(what, { request, mayHaveActed: false, status: 200 });
}
