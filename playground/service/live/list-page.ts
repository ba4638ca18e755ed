import { renderPage } from '../http/render-page.ts';
import { type Answer, type Links, link, refuse } from '../http/response.ts';
import type { Call } from '../portal/request-context.ts';

/** A choice: the public service does not say how large a page may be. */
const largestPage = 100;

/** What a list says about itself beyond its page. */
type ListFacts = { filter_applied: string | null; sort_applied?: string };

/**
 * Answers the page whose number `start` is, counting from 1 and given back as text. A number
 * behind the end is an empty page, since a list may shrink under a walking client.
 */
export function listByNumber<T>(
  call: Call,
  items: readonly T[],
  itemText: (item: T) => string,
  facts: ListFacts,
): Answer {
  const number = positive(call.query.get('start') ?? '1');
  const limit = positive(call.query.get('limit') ?? String(call.portal.pageSize));
  if (number === undefined) return refuse(400, 'start must be the number of a page, from 1.');
  if (limit === undefined || limit > largestPage) {
    return refuse(400, `limit must be a number from 1 to ${largestPage}.`);
  }

  const page = items.slice((number - 1) * limit, number * limit);
  const pages = Math.ceil(items.length / limit);
  const envelope = {
    current_count: page.length,
    ...facts,
    limit,
    start: String(number),
    total_count: items.length,
    total_pages_count: pages,
    _links: pageLinks(call, { number, limit, pages }),
  };
  return renderPage(envelope, page.map(itemText));
}

function positive(text: string): number | undefined {
  const value = /^[1-9]\d*$/.test(text) ? Number(text) : undefined;
  return Number.isSafeInteger(value) ? value : undefined;
}

function pageLinks(
  { path, query }: Call,
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

/** Small, so that a client which knows no second page is found out with a dozen policies. */
const tokenPageSize = 5;

type TokenListFacts = { filterApplied: string | null; links: Links };

/**
 * Answers the page that the opaque token in `start` stands for, the first one without. There are
 * no totals and no way back: a client has `_next` until there is none.
 */
export function listByToken<T>(
  call: Call,
  items: readonly T[],
  itemText: (item: T) => string,
  { filterApplied, links }: TokenListFacts,
): Answer {
  const token = call.query.get('start') ?? tokenFor(0);
  const offset = offsetIn(token);
  if (offset === undefined) return refuse(400, 'start is no page token of this service.');

  const page = items.slice(offset, offset + tokenPageSize);
  const hasNext = offset + tokenPageSize < items.length;
  const at = (start: string) => {
    const linked = new URLSearchParams(call.query);
    linked.set('start', start);
    return link(`${call.path}?${linked}`);
  };
  const envelope = {
    current_count: page.length,
    filter_applied: filterApplied,
    limit: tokenPageSize,
    start: token,
    _links: {
      _self: at(token),
      _first: at(tokenFor(0)),
      ...(hasNext ? { _next: at(tokenFor(offset + tokenPageSize)) } : {}),
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
