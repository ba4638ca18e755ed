import { parseBaseUrl } from '../base-url.ts';
import { type Link, resolveLink } from '../paging/link.ts';

/** Where a request goes: path segments below the base URL, or a link from a response. */
export type RequestTarget = readonly string[] | Link;

type RequestPath =
  | { outcome: 'path'; path: string }
  | { outcome: 'invalid' }
  | { outcome: 'foreign' };

/**
 * The path to send, base path included. `invalid`: a segment is empty, `.` or `..`, which would
 * address something else. `foreign`: the link leads away from the base URL.
 */
export function requestPath(baseUrl: string, target: RequestTarget): RequestPath {
  if ('href' in target) {
    const path = resolveLink(baseUrl, target.href);
    return path === undefined ? { outcome: 'foreign' } : { outcome: 'path', path };
  }
  if (!target.every(isSegment)) return { outcome: 'invalid' };
  const { path: basePath } = parseBaseUrl(baseUrl);
  return { outcome: 'path', path: `${basePath}/${target.map(encodeURIComponent).join('/')}` };
}

/**
 * `METHOD /path` for error messages, without ids and the query: both may hold what somebody typed, and
 * errors are logged.
 */
export function describeRequest(method: string, baseUrl: string, found: RequestPath): string {
  if (found.outcome === 'path') return `${method} ${pathTemplate(baseUrl, found.path)}`;
  return `${method} ${found.outcome === 'foreign' ? '(a link)' : '(not a path)'}`;
}

/** The words in the paths of the service (§4 Endpoints). Whatever else a path holds may be an id. */
const pathWords = new Set([
  ...['alerts', 'individual', 'users', 'policies', 'definitions', 'stats', 'compliance', 'aws'],
  ...['ebs-volumes', 'tasks', 'roles', 'organizational-units'],
]);

/** A path below the base URL without its ids and query: `/users/{id}`. */
export function pathTemplate(baseUrl: string, path: string): string {
  const { path: basePath } = parseBaseUrl(baseUrl);
  const below = path.slice(basePath.length).replace(/\?.*$/, '');
  return below.replaceAll(/[^/]+/g, (segment) => (pathWords.has(segment) ? segment : '{id}'));
}

/** Whether a text can be sent as one path segment. */
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
