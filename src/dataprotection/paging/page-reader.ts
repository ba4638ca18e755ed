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

/** Reads the page at a target of the service; undefined means the first page. */
type ReadAt<Result> = (at: PageTarget | undefined, signal?: AbortSignal) => Promise<Result>;

/**
 * Reads the pages of one list. Pages must be read in the order of the list, each after the one
 * before it: a page that repeats, or a list that doesn't end, throws. `fetchPage` returns a page
 * whose items are not parsed yet, so that the next one can be requested first.
 */
export type PageReader<Item> = {
  fetchPage: ReadAt<Page<unknown>>;
  readItems: (page: Page<unknown>) => Page<Item>;
  readPage: ReadAt<Page<Item>>;
};

const defaultMaxPages = 10_000;

export function createPageReader<Item extends Identified>(
  client: ServiceClient,
  list: List<Item>,
): PageReader<Item> {
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
  const readItems = (page: Page<unknown>) => {
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
    fetchPage,
    readItems,
    readPage: async (at, signal) => readItems(await fetchPage(at, signal)),
  };
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

export function unexpectedList(client: ServiceClient, list: List<Identified>, what: string) {
  const request = describeRequest('GET', client.baseUrl, requestPath(client.baseUrl, list.target));
  return new UnexpectedResponseError(what, { request, mayHaveActed: false, status: 200 });
}
