import { listAlerts, readAlert } from './alerts.ts';
import type { Handler } from './call.ts';
import { readCompliance } from './compliance.ts';
import { createPolicy, listPolicies, replacePolicy } from './policies.ts';
import { deleteUser, listUsers, patchUser, readUser } from './users.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type Route = {
  method: Method;
  path: string;
  handle: Handler;
  /** The documented query parameters; every other is refused. */
  parameters: readonly string[];
  takesBody: boolean;
};

/** Every endpoint of the contract (section 4), and the list of policies that it implies. */
const routes: readonly Route[] = [
  list('/users', listUsers, ['start']),
  read('/users/{id}', readUser),
  write('PATCH', '/users/{id}', patchUser),
  { ...read('/users/{id}', deleteUser), method: 'DELETE' },
  list('/policies/definitions', listPolicies, ['start']),
  write('POST', '/policies/definitions', createPolicy),
  write('PUT', '/policies/definitions/{id}', replacePolicy),
  read('/policies/definitions/{id}/stats/compliance/aws/ebs-volumes', readCompliance),
  list('/alerts/individual', listAlerts, ['start', 'sort']),
  read('/alerts/individual/{id}', readAlert),
];

function list(path: string, handle: Handler, parameters: readonly string[]): Route {
  return { method: 'GET', path, handle, parameters, takesBody: false };
}

function read(path: string, handle: Handler): Route {
  return { method: 'GET', path, handle, parameters: [], takesBody: false };
}

function write(method: Method, path: string, handle: Handler): Route {
  return { method, path, handle, parameters: [], takesBody: true };
}

export type RouteMatch =
  | { kind: 'found'; route: Route; resourceId: string }
  | { kind: 'wrong-method'; allowed: readonly string[] }
  | { kind: 'unknown-path' };

export type RouteOptions = { listsPolicies: boolean };

/** Finds the endpoint, and tells a path that nobody serves from one that takes other methods. */
export function matchRoute(method: string, path: string, options: RouteOptions): RouteMatch {
  const candidates = routes.flatMap((route) => {
    const resourceId = matchPath(route.path, path);
    return resourceId === undefined ? [] : [{ route, resourceId }];
  });
  const match = candidates.find(({ route }) => route.method === method);
  if (match?.route.handle === listPolicies && !options.listsPolicies) {
    return { kind: 'unknown-path' };
  }
  if (match) return { kind: 'found', ...match };
  if (candidates.length === 0) return { kind: 'unknown-path' };
  return { kind: 'wrong-method', allowed: candidates.map(({ route }) => route.method) };
}

/** The decoded `{id}` of a path that fits the pattern, or an empty text if the pattern has none. */
function matchPath(pattern: string, path: string): string | undefined {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== given.length) return undefined;
  let id = '';
  for (const [index, segment] of wanted.entries()) {
    const actual = given[index] ?? '';
    if (segment === '{id}') id = decodeSegment(actual);
    if (segment === '{id}' ? id === '' : segment !== actual) return undefined;
  }
  return id;
}

/** Empty for what is no valid encoding: such an id names nothing. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
