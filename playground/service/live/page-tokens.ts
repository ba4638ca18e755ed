import { type Answer, refuse } from '../answer.ts';
import type { Call } from '../call.ts';
import { type Links, link } from '../links.ts';
import { renderPage } from '../render-page.ts';

/** Small, so that a client which knows no second page is found out with a dozen policies. */
const pageSize = 5;

type ListFacts = { filterApplied: string | null; links: Links };

/**
 * Answers the page that the opaque token in `start` stands for, the first one without. There are
 * no totals and no way back: a client has `_next` until there is none.
 */
export function listByToken<T>(
  call: Call,
  items: readonly T[],
  itemText: (item: T) => string,
  { filterApplied, links }: ListFacts,
): Answer {
  const token = call.query.get('start') ?? tokenFor(0);
  const offset = offsetIn(token);
  if (offset === undefined) return refuse(400, 'start is no page token of this service.');

  const page = items.slice(offset, offset + pageSize);
  const hasNext = offset + pageSize < items.length;
  const at = (start: string) => {
    const linked = new URLSearchParams(call.query);
    linked.set('start', start);
    return link(`${call.path}?${linked}`);
  };
  const envelope = {
    current_count: page.length,
    filter_applied: filterApplied,
    limit: pageSize,
    start: token,
    _links: {
      _self: at(token),
      _first: at(tokenFor(0)),
      ...(hasNext ? { _next: at(tokenFor(offset + pageSize)) } : {}),
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
