import { parseBaseUrl } from '../base-url.ts';
import { isJsonObject } from '../json.ts';

/** §2 Resources and their fields: `href` is relative to the base URL, `type` a lower-case method. */
export type Link = { href: string; type: string; templated: boolean };

/** The valid links of a `_links` object, by name. A `null` link, such as a last `_next`, is none. */
export function readLinks(raw: unknown): Record<string, Link> {
  if (!isJsonObject(raw)) return {};
  const links = Object.entries(raw).flatMap(([name, value]) => {
    const link = readLink(value);
    return link ? [[name, link] as const] : [];
  });
  return Object.fromEntries(links);
}

function readLink(raw: unknown): Link | undefined {
  if (!isJsonObject(raw) || typeof raw.href !== 'string') return undefined;
  const type = typeof raw.type === 'string' ? raw.type.toLowerCase() : 'get';
  return { href: raw.href, type, templated: raw.templated === true };
}

const startsWithScheme = /^[a-z][a-z0-9+.-]*:/i;
// URL parsers treat `\` as `/` and skip whitespace and control characters, so a link with one of
// them can lead elsewhere than it seems to.
const misleading = /[\\\s\p{Cc}]|^\/\//u;
const dotSegment = /^[^?#]*?(^|\/)(\.|%2e){1,2}(?=[/?#]|$)/i;

/**
 * The path and query of a link; undefined if it leads away from the base URL, to another origin or
 * out of its path. The token must not be sent there.
 */
export function resolveLink(baseUrl: string, href: string): string | undefined {
  if (misleading.test(href) || dotSegment.test(href)) return undefined;
  const { origin, path: basePath } = parseBaseUrl(baseUrl);
  const absolute = startsWithScheme.test(href)
    ? href
    : `${origin}${basePath}/${href.replace(/^\//, '')}`;
  const target = URL.parse(absolute);
  if (!target) return undefined;

  const isBelowBase =
    target.origin === origin &&
    target.username === '' &&
    target.password === '' &&
    target.pathname.startsWith(`${basePath}/`);
  return isBelowBase ? target.pathname + target.search : undefined;
}
