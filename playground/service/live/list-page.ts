import { renderPage } from '../http/render-page.ts';
import { errorResponse, type Links, link, type ServiceResponse } from '../http/response.ts';
import type { RequestContext } from '../portal/request-context.ts';

/** A choice: the public service doesn't document its maximum page size. */
const maxPageSize = 100;

/** Fields of the envelope that don't depend on the page. */
type ListFacts = { filter_applied?: string | null; sort_applied?: string; links?: Links };

/**
 * The page with the 1-based number `start`. A number past the end is an empty page, because a list
 * may shrink while a client reads it.
 */
export function listByNumber<T>(
  context: RequestContext,
  items: readonly T[],
  itemText: (item: T) => string,
  { links, ...facts }: ListFacts = {},
): ServiceResponse {
  const number = parsePositive(context.query.get('start') ?? '1');
  const limit = readLimit(context, context.portal.pageSize);
  if (number === undefined)
    return errorResponse(400, 'start must be the number of a page, from 1.');
  if (limit === undefined) return wrongLimit;

  const page = items.slice((number - 1) * limit, number * limit);
  const pages = Math.ceil(items.length / limit);
  const envelope = {
    current_count: page.length,
    ...facts,
    limit,
    start: String(number),
    total_count: items.length,
    total_pages_count: pages,
    _links: { ...pageLinks(context, { number, limit, pages }), ...links },
  };
  return renderPage(envelope, page.map(itemText));
}

const wrongLimit = errorResponse(400, `limit must be a number from 1 to ${maxPageSize}.`);

function readLimit({ query }: RequestContext, byDefault: number): number | undefined {
  const limit = parsePositive(query.get('limit') ?? String(byDefault));
  return limit === undefined || limit > maxPageSize ? undefined : limit;
}

function parsePositive(text: string): number | undefined {
  const value = /^[1-9]\d*$/.test(text) ? Number(text) : undefined;
  return Number.isSafeInteger(value) ? value : undefined;
}

function pageLinks(
  { path, query }: RequestContext,
  { number, limit, pages }: { number: number; limit: number; pages: number },
): Links {
  const last = Math.max(pages, 1);
  const at = (start: number) => {
    const linked = new URLSearchParams(query);
    linked.set('limit', String(limit));
    linked.set('start', String(start));
    return link(`${path}?${linked}`);
  };
  return {
    _self: at(number),
    _first: at(1),
    ...(number > 1 ? { _prev: at(Math.min(number - 1, last)) } : {}),
    ...(number < last ? { _next: at(number + 1) } : {}),
    _last: at(last),
  };
}

/**
 * The default, small so that a dozen policies need several pages and expose a client that only
 * reads the first.
 */
const tokenPageSize = 5;

type TokenListFacts = { filterApplied?: string | null; links?: Links };

/**
 * The page of the opaque token `start`, by default the first. There are no totals and no previous
 * page: a client follows `_next` until there is none.
 */
export function listByToken<T>(
  context: RequestContext,
  items: readonly T[],
  itemText: (item: T) => string,
  { filterApplied, links }: TokenListFacts = {},
): ServiceResponse {
  const limit = readLimit(context, tokenPageSize);
  if (limit === undefined) return wrongLimit;
  const token = context.query.get('start') ?? tokenFor(0);
  const offset = offsetIn(token);
  if (offset === undefined) return errorResponse(400, 'start is no page token of this service.');

  const page = items.slice(offset, offset + limit);
  const hasNext = offset + limit < items.length;
  const at = (start: string) => {
    const linked = new URLSearchParams(context.query);
    linked.set('start', start);
    return link(`${context.path}?${linked}`);
  };
  const envelope = {
    current_count: page.length,
    filter_applied: filterApplied,
    limit,
    start: token,
    _links: {
      _self: at(token),
      _first: at(tokenFor(0)),
      ...(hasNext ? { _next: at(tokenFor(offset + limit)) } : {}),
      ...links,
    },
  };
  return renderPage(envelope, page.map(itemText));
}

function tokenFor(offset: number): string {
  return Buffer.from(`from:${offset}`).toString('base64url');
}

function offsetIn(token: string): number | undefined {
  const offset = /^from:(\d{1,9})$/.exec(Buffer.from(token, 'base64url').toString())?.[1];
  return offset === undefined ? undefined : Number(offset);
}
