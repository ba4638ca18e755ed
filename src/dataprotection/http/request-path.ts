import type { Link } from '../paging/link.ts';

type BaseUrl = {
  origin: string;
  /** Without a slash at the end. */
  path: string;
};

/** The parts of a region's base URL. */
export function parseBaseUrl(baseUrl: string): BaseUrl {
  const { origin, pathname } = new URL(baseUrl);
  return { origin, path: pathname.replace(/\/+$/, '') };
}

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
  ...['ebs-volumes', 'tasks', 'roles', 'organizational-units', 'datasources', 'environments'],
  ...['backups', 'restores', 'settings', 'auto-user-provisioning'],
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
