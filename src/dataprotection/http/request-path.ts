import { type Link, resolveLink } from '../paging/link.ts';

/** Where a request goes: path segments below the base URL, or a link that the service gave. */
export type RequestTarget = readonly string[] | Link;

export type RequestPath =
  | { outcome: 'path'; path: string }
  | { outcome: 'no-path' }
  | { outcome: 'foreign' };

/** The path on the wire. Segments that would be another path (empty, `.`, `..`) have none. */
export function requestPath(baseUrl: string, target: RequestTarget): RequestPath {
  if ('href' in target) {
    const path = resolveLink(baseUrl, target.href);
    return path === undefined ? { outcome: 'foreign' } : { outcome: 'path', path };
  }
  if (!target.every(isSegment)) return { outcome: 'no-path' };
  const basePath = new URL(baseUrl).pathname.replace(/\/+$/, '');
  return { outcome: 'path', path: `${basePath}/${target.map(encodeURIComponent).join('/')}` };
}

/** `METHOD /path` for messages: no query, which may hold what people typed. */
export function describeRequest(method: string, target: RequestTarget, found: RequestPath): string {
  if (found.outcome === 'path') return `${method} ${found.path.replace(/\?.*$/, '')}`;
  if ('href' in target) return `${method} (a link)`;
  const segments = target.map((segment) =>
    isSegment(segment) ? encodeURIComponent(segment) : '…',
  );
  return `${method} /${segments.join('/')}`;
}

/** Whether a text can be one segment of a path, and only that. */
export function isSegment(segment: string): boolean {
  return segment !== '' && segment !== '.' && segment !== '..' && segment.isWellFormed();
}

export function withQuery(path: string, query: Record<string, string | undefined>): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  if (given.length === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(given)}`;
}
