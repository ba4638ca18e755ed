import type { z } from 'zod';
import type { ServiceClient } from '../client.ts';
import { wireFormat } from '../dialects/wire-format.ts';
import type { Quick } from '../fast-path.ts';
import { UnexpectedResponseError } from '../http/errors.ts';
import { describeRequest, type RequestTarget, requestPath } from '../http/request-path.ts';
import { isJsonObject } from '../json.ts';
import type { PageTarget } from './adjacent-page.ts';
import { envelopeSchema, type Page, pageOf } from './page.ts';

export type Identified = { id: string };

/** A list of the service: where it is, what is asked of it, and what its items look like. */
export type List<Item extends Identified> = {
  target: RequestTarget;
  query?: Record<string, string | undefined>;
  itemSchema: z.ZodType<Item> & Quick<Item>;
  /** More pages than this are no list of the service, but one that has no end. */
  maxPages?: number;
};

/** A page as it came, and where from. */
export type FetchedPage = { page: Page<unknown>; at: PageTarget | undefined };

type FetchPage<Result> = (at: PageTarget | undefined, signal?: AbortSignal) => Promise<Result>;

/**
 * Reads pages in steps, so that others can be asked for between them. `checkPage` must see them in
 * the list's order: it stops, with an error, a walk that comes by the same page again or does not
 * end. `readPage` takes all steps at once.
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
  const { target, itemSchema, maxPages = defaultMaxPages } = list;
  const visited = new Set<string>();
  const fetchPage: FetchPage<FetchedPage> = async (at, signal) => {
    const start = at && 'start' in at ? at.start : list.query?.start;
    const envelope = await client.send(
      at && 'link' in at
        ? { method: 'GET', target: at.link, signal }
        : { method: 'GET', target, query: { ...list.query, start }, signal },
      envelopeSchema,
    );
    return { page: pageOf(envelope), at };
  };
  const checkPage = (fetched: FetchedPage) => {
    const identity = identityOf(client, fetched);
    if (visited.has(identity)) throw misleadingList(client, list, 'the same page came twice');
    if (visited.size === maxPages) throw misleadingList(client, list, 'the list does not end');
    visited.add(identity);
    return fetched.page;
  };
  const readItems = ({ page }: FetchedPage) => {
    const items = page.items.map((raw, index) => {
      const item = itemSchema.parseFast(raw);
      if (item !== undefined) return item;
      const path = itemSchema.safeParse(raw).error?.issues[0]?.path ?? [];
      const where = ['_embedded.items', index, ...path].join('.');
      throw misleadingList(client, list, `unexpected answer (${where})`);
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

/** A page is known again by its position; by its items where `start` is whatever the service likes. */
function identityOf(
  { dialect }: ServiceClient,
  { page: { start, items }, at }: FetchedPage,
): string {
  if (start !== undefined && wireFormat(dialect).startIsPosition) return start;
  if (items.length > 0) return `${items.length} ${idOf(items[0])} ${idOf(items.at(-1))}`;
  return `at ${start} ${at && 'link' in at ? at.link.href : ''}`;
}

/** As JSON, because an id may be anything here, even an object that no string can be made of. */
function idOf(item: unknown): string | undefined {
  return isJsonObject(item) ? JSON.stringify(item.id) : undefined;
}

export function misleadingList(client: ServiceClient, list: List<Identified>, what: string) {
  const request = describeRequest('GET', list.target, requestPath(client.baseUrl, list.target));
  return new UnexpectedResponseError(what, { request, mayHaveActed: false, status: 200 });
}
