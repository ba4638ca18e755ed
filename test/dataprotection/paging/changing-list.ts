import type { RequestListener } from 'node:http';
import { answerJson } from '../local-server.ts';

export type ChangingList = {
  ids: number[];
  limit: number;
  /** The names of a page's links besides `_self` and `_first`. */
  links: readonly ('_next' | '_prev' | '_last')[];
  /** Called before each response with the number of previous responses. */
  change?: (list: ChangingList, answered: number) => void;
};

/** Serves a list that may change between two requests, in the documented envelope. */
export function serveList(list: ChangingList): RequestListener {
  let answered = 0;
  return (request, response) => {
    list.change?.(list, answered++);
    const { ids, limit } = list;
    const start = Number(new URL(request.url ?? '', 'http://x').searchParams.get('start') ?? 1);
    const at = (position: number) => ({
      href: `/alerts/individual?sort=updated_timestamp&start=${position}`,
      type: 'get',
      templated: false,
    });
    const all = {
      _next: start + limit <= ids.length ? at(start + limit) : null,
      _prev: start > 1 ? at(Math.max(1, start - limit)) : null,
      _last: at(Math.floor((ids.length - 1) / limit) * limit + 1),
    };
    const items = ids.slice(start - 1, start - 1 + limit).map((id) => ({ id: String(id) }));
    answerJson(response, {
      start: String(start),
      total_count: ids.length,
      total_pages_count: Math.ceil(ids.length / limit),
      current_count: items.length,
      limit,
      _links: {
        _self: at(start),
        _first: at(1),
        ...Object.fromEntries(list.links.map((name) => [name, all[name]])),
      },
      _embedded: { items },
    });
  };
}

export function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
