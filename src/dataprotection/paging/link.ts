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
