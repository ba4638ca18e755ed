import type { z } from 'zod';
import type { ServiceClient, ServiceRequest } from '../client.ts';
import { dialectRules } from '../dialects/dialect.ts';
import type { FastPath } from '../fast-path.ts';
import { UnexpectedResponseError } from '../http/errors.ts';
import { describeRequest, type RequestTarget, requestPath } from '../http/request-path.ts';
import { isJsonObject } from '../json.ts';
import type { PageTarget } from './adjacent-page.ts';
import { envelopeSchema, type Page, toPage } from './page.ts';

export type Identified = { id: string };

/** A list of the service: its path, its query and the schema of its items. */
export type List<Item extends Identified> = {
  target: RequestTarget;
  query?: Record<string, string | undefined>;
  itemSchema: z.ZodType<Item> & FastPath<Item>;
  parse?: ServiceRequest['parse'];
  /** A list with more pages counts as endless. */
  maxPages?: number;
};

/** A page with unparsed items, and the target it was read from; undefined for the first page. */
export type FetchedPage = { page: Page<unknown>; at: PageTarget | undefined };

type FetchPage<Result> = (at: PageTarget | undefined, signal?: AbortSignal) => Promise<Result>;

/**
 * Reads pages in steps, so that other pages can be requested in between. `checkPage` must be called
 * in the order of the list: it throws if a page repeats or the list doesn't end. `readPage` does all
 * steps at once.
 */
export type PageReader<Item> = {
  fetchPage: FetchPage<FetchedPage>;
  checkPage: (fetched: FetchedPage) => Page<unknown>;
  readItems: (fetched: FetchedPage) => Page<Item>;
  readPage: FetchPage<Page<Item>>;
};

const defaultMaxPages = 10_000;

export function createPageReader<Item extends Identified>(
  client: ServiceClient,
  list: List<Item>,
): PageReader<Item> {
  const { target, itemSchema, parse, maxPages = defaultMaxPages } = list;
  const visited = new Set<string>();
  const fetchPage: FetchPage<FetchedPage> = async (at, signal) => {
    const start = at && 'start' in at ? at.start : list.query?.start;
    const envelope = await client.send(
      at && 'link' in at
        ? { method: 'GET', target: at.link, parse, signal }
        : { method: 'GET', target, query: { ...list.query, start }, parse, signal },
      envelopeSchema,
    );
    return { page: toPage(envelope), at };
  };
  const checkPage = (fetched: FetchedPage) => {
    const identity = identityOf(client, fetched);
    if (visited.has(identity)) throw unexpectedList(client, list, 'the same page came twice');
    if (visited.size === maxPages) throw unexpectedList(client, list, 'the list does not end');
    visited.add(identity);
    return fetched.page;
  };
  const readItems = ({ page }: FetchedPage) => {
    const items = page.items.map((raw, index) => {
      const item = itemSchema.parseFast(raw);
      if (item !== undefined) return item;
      const path = itemSchema.safeParse(raw).error?.issues[0]?.path ?? [];
      const where = ['_embedded.items', index, ...path].join('.');
      throw unexpectedList(client, list, `unexpected response (${where})`);
    });
    return { ...page, items };
  };
  return {
    ...{ fetchPage, checkPage, readItems },
    async readPage(at, signal) {
      const fetched = await fetchPage(at, signal);
      checkPage(fetched);
      return readItems(fetched);
    },
  };
}

/** Identifies a page by its position, or by its items in dialects where `start` is no position. */
function identityOf(
  { dialect }: ServiceClient,
  { page: { start, items }, at }: FetchedPage,
): string {
  if (start !== undefined && dialectRules[dialect].startIsPosition) return start;
  if (items.length > 0) return `${items.length} ${idOf(items[0])} ${idOf(items.at(-1))}`;
  return `at ${start} ${at && 'link' in at ? at.link.href : ''}`;
}

/** As JSON, because an unparsed id can be anything, even an object without `toString`. */
function idOf(item: unknown): string | undefined {
  return isJsonObject(item) ? JSON.stringify(item.id) : undefined;
}

export function unexpectedList(client: ServiceClient, list: List<Identified>, what: string) {
  const request = describeRequest('GET', list.target, requestPath(client.baseUrl, list.target));
  return new UnexpectedResponseError(what, { request, mayHaveActed: false, status: 200 });
}
