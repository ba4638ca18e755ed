import type { Handler } from '../portal/request-context.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type Route = {
  method: Method;
  /** With at most one parameter in braces. */
  path: string;
  handle: Handler;
  /** The documented query parameters; all others are rejected. */
  parameters: readonly string[];
  takesBody: boolean;
};

export type RouteMatch<R extends Route = Route> =
  | { kind: 'found'; route: R; resourceId: string }
  | { kind: 'wrong-method'; allowed: readonly string[] }
  | { kind: 'unknown-path' };

/** Finds the endpoint, and distinguishes an unknown path from a wrong method. */
export function matchRoute<R extends Route>(
  routes: readonly R[],
  method: string,
  path: string,
): RouteMatch<R> {
  const candidates = routes.flatMap((route) => {
    const resourceId = matchPath(route.path, path);
    return resourceId === undefined ? [] : [{ route, resourceId }];
  });
  const match = candidates.find(({ route }) => route.method === method);
  if (match) return { kind: 'found', ...match };
  if (candidates.length === 0) return { kind: 'unknown-path' };
  return { kind: 'wrong-method', allowed: candidates.map(({ route }) => route.method) };
}

/**
 * The decoded parameter of a matching path, empty if the pattern has none; undefined for no match.
 */
function matchPath(pattern: string, path: string): string | undefined {
  const [patternSegments, pathSegments] = [pattern.split('/'), path.split('/')];
  if (patternSegments.length !== pathSegments.length) return undefined;
  let id = '';
  for (const [index, segment] of patternSegments.entries()) {
    const actual = pathSegments[index] ?? '';
    const isParameter = segment.startsWith('{');
    if (isParameter) id = decodeSegment(actual);
    if (isParameter ? id === '' : segment !== actual) return undefined;
  }
  return id;
}

/** Empty for an invalid encoding, because no resource has an empty id. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
