import { z } from 'zod';
import type { ServiceResponse } from '../http/response.ts';
import type { FaultOf } from './fault.ts';

const itemSchema = z.looseObject({ id: z.string() });
const linkSchema = z.looseObject({ href: z.string() });
const pageSchema = z.looseObject({
  _links: z.record(z.string(), linkSchema),
  _embedded: z.looseObject({ items: z.array(itemSchema) }),
});
type Page = z.infer<typeof pageSchema>;

/** The id of the page's first item; undefined if the response is no page. */
export function firstItemId(response: ServiceResponse): string | undefined {
  return readPage(response)?._embedded.items[0]?.id;
}

/** Makes the links of a list lead to another origin, in one of several styles. */
export function rewriteLinks(
  response: ServiceResponse,
  fault: FaultOf<'foreign-links'>,
): ServiceResponse {
  const { host, origin } = new URL(fault.origin);
  const prefix = { absolute: origin, 'protocol-relative': `//${host}`, climbing: '/../..' };
  const to = prefix[fault.style ?? 'absolute'];
  return editPage(response, (page) => ({
    ...page,
    _links: Object.fromEntries(
      Object.entries(page._links).map(([name, link]) => [name, { ...link, href: to + link.href }]),
    ),
  }));
}

export function repeatPage(response: ServiceResponse): ServiceResponse {
  return editPage(response, (page) => ({ ...page, _links: { ...page._links, ...nextOf(page) } }));

  function nextOf({ _links }: Page) {
    return _links._self ? { _next: _links._self } : {};
  }
}

/** Always the first page, with new ids and a next page. */
export function addEndlessPage(
  target: string,
  handle: (target: string) => ServiceResponse,
  previousHits: number,
): ServiceResponse {
  const [path = '', queryText = ''] = target.split(/\?(.*)/s);
  const query = new URLSearchParams(queryText);
  query.delete('start');
  const response = handle(query.size > 0 ? `${path}?${query}` : path);
  const nth = previousHits + 1;
  const at = (start: number) => {
    query.set('start', String(start));
    return { href: `${path}?${query}`, type: 'get', templated: false };
  };
  return editPage(response, (page) => ({
    ...page,
    start: String(nth),
    _links: { ...page._links, _self: at(nth), _next: at(nth + 1) },
    _embedded: {
      items: page._embedded.items.map((item) => ({ ...item, id: renumber(item.id, nth) })),
    },
  }));
}

/** Keeps the format: digits stay digits, a UUID stays a UUID. */
function renumber(id: string, nth: number): string {
  const isUuid = id.length === 36;
  return isUuid
    ? `${id.slice(0, 24)}${String(nth).padStart(12, '0')}`
    : `${nth}${id.padStart(9, '0')}`;
}

function readPage({ status, text }: ServiceResponse): Page | undefined {
  if (status !== 200 || text === '') return undefined;
  return pageSchema.safeParse(JSON.parse(text)).data;
}

function editPage(response: ServiceResponse, edit: (page: Page) => Page): ServiceResponse {
  const page = readPage(response);
  return page ? { ...response, text: JSON.stringify(edit(page)) } : response;
}
