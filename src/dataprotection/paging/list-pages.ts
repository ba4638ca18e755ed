import type { z } from 'zod';
import type { CallOptions, ServiceClient, ServiceRequest } from '../client.ts';
import { type Dialect, dialectRules } from '../dialects/dialect.ts';
import type { FastPath } from '../fast-path.ts';
import { UnexpectedResponseError } from '../http/errors.ts';
import { describeRequest, type RequestTarget, requestPath } from '../http/request-path.ts';
import { isJsonObject } from '../json.ts';
import type { Link } from './link.ts';
import { envelopeSchema, type Page, toPage } from './page.ts';

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

type Identified = { id: string };

/** A list of the service: its path, its query and the schema of its items. */
type List<Item extends Identified> = {
  target: RequestTarget;
  query?: Record<string, string | undefined>;
  itemSchema: z.ZodType<Item> & FastPath<Item>;
  parse?: ServiceRequest['parse'];
  /** A list with more pages counts as endless. */
  maxPages?: number;
};

/** A page by a link of the service, or by the `start` parameter. */
type PageTarget = { link: Link } | { start: string };

/** Reads the page at a target of the service; undefined means the first page. */
type ReadAt<Result> = (at: PageTarget | undefined, signal?: AbortSignal) => Promise<Result>;

const defaultMaxPages = 10_000;

/**
 * Reads the pages of one list. Pages must be read in the order of the list, each after the one
 * before it: a page that repeats, or a list that doesn't end, throws. `fetchPage` returns a page
 * whose items are not parsed yet, so that the next one can be requested first.
 */
function createPageReader<Item extends Identified>(client: ServiceClient, list: List<Item>) {
  const { target, itemSchema, parse, maxPages = defaultMaxPages } = list;
  const visited = new Set<string>();
  const fetchPage: ReadAt<Page<unknown>> = async (at, signal) => {
    const start = at && 'start' in at ? at.start : list.query?.start;
    const envelope = await client.send(
      at && 'link' in at
        ? { method: 'GET', target: at.link, parse, signal }
        : { method: 'GET', target, query: { ...list.query, start }, parse, signal },
      envelopeSchema,
    );
    const page = toPage(envelope);
    const identity = identityOf(client, page, at);
    if (visited.has(identity)) throw unexpectedList(client, list, 'the same page came twice');
    if (visited.size === maxPages) throw unexpectedList(client, list, 'the list does not end');
    visited.add(identity);
    return page;
  };
  const readItems = (page: Page<unknown>): Page<Item> => {
    const items = page.items.map((raw, index) => {
      const item = itemSchema.parseFast(raw);
      if (item !== undefined) return item;
      const path = itemSchema.safeParse(raw).error?.issues[0]?.path ?? [];
      const where = ['_embedded.items', index, ...path].join('.');
      throw unexpectedList(client, list, `unexpected response (${where})`);
    });
    return { ...page, items };
  };
  const readPage: ReadAt<Page<Item>> = async (at, signal) => readItems(await fetchPage(at, signal));
  return { fetchPage, readItems, readPage };
}

/** Identifies a page by its position, or by its items in dialects where `start` is no position. */
function identityOf(
  { dialect }: ServiceClient,
  { start, items }: Page<unknown>,
  at: PageTarget | undefined,
): string {
  if (start !== undefined && dialectRules[dialect].startIsPosition) return start;
  if (items.length > 0) return `${items.length} ${idOf(items[0])} ${idOf(items.at(-1))}`;
  return `at ${start} ${at && 'link' in at ? at.link.href : ''}`;
}

/** As JSON, because an unparsed id can be anything, even an object without `toString`. */
function idOf(item: unknown): string | undefined {
  return isJsonObject(item) ? JSON.stringify(item.id) : undefined;
}

/**
 * The previous, next or last page (§2 Resources and their fields, list envelope): by the service's
 * link, else computed if `start` is a position in this dialect. If a service links its pages but
 * has no next link, there is no next page: its `start` may be something else than a position.
 */
function adjacentPage(
  dialect: Dialect,
  page: Page<unknown>,
  direction: 'next' | 'prev' | 'last',
): PageTarget | undefined {
  const link = page.links[`_${direction}`];
  if (isFollowable(link)) return { link };
  if (!dialectRules[dialect].startIsPosition) return undefined;

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

function unexpectedList(client: ServiceClient, list: List<Identified>, what: string) {
  const request = describeRequest('GET', client.baseUrl, requestPath(client.baseUrl, list.target));
  return new UnexpectedResponseError(what, { request, mayHaveActed: false, status: 200 });
}
