import { renderPage } from '../http/render-page.ts';
import { errorResponse, type Links, link, type ServiceResponse } from '../http/response.ts';
import type { RequestContext } from '../portal/request-context.ts';

/**
 * One page in the contract's envelope (§2 Resources and their fields). `start` is the 1-based
 * position of the first item. A position past the end is an empty page, because a list may shrink
 * while a client reads it.
 */
export function listPage<T>(
  context: RequestContext,
  items: readonly T[],
  itemText: (item: T) => string,
): ServiceResponse {
  const { pageSize } = context.portal;
  const startText = context.query.get('start') ?? '1';
  const start = parseStart(startText);
  if (start === undefined) {
    return errorResponse(
      400,
      `start must be the position of an item, 1 or greater, not "${startText}".`,
    );
  }

  const page = items.slice(start - 1, start - 1 + pageSize);
  const envelope = {
    start: String(start),
    total_count: items.length,
    total_pages_count: Math.ceil(items.length / pageSize),
    current_count: page.length,
    limit: pageSize,
    _links: pageLinks(context, start, items.length),
  };
  return renderPage(envelope, page.map(itemText));
}

function parseStart(text: string): number | undefined {
  const start = /^[1-9]\d*$/.test(text) ? Number(text) : undefined;
  return Number.isSafeInteger(start) ? start : undefined;
}

function pageLinks(context: RequestContext, start: number, total: number): Links {
  const { pageSize } = context.portal;
  const last = Math.max(Math.floor((total - 1) / pageSize) * pageSize + 1, 1);
  const at = (position: number) => link(`${context.path}?${queryAt(context.query, position)}`);
  const named: Links = { _self: at(start), _first: at(1) };
  return context.portal.links === 'named'
    ? named
    : { ...named, ...adjacentLinks(), _last: at(last) };

  function adjacentLinks(): Links {
    return {
      ...(start > 1 ? { _prev: at(Math.max(Math.min(start - pageSize, last), 1)) } : {}),
      ...(start + pageSize <= total ? { _next: at(start + pageSize) } : {}),
    };
  }
}

function queryAt(query: URLSearchParams, position: number): string {
  const linked = new URLSearchParams(query);
  linked.set('start', String(position));
  return linked.toString();
}
