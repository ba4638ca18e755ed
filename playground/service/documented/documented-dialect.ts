import { readCompliance } from '../compliance.ts';
import type { Negotiation, ServedDialect } from '../dialect.ts';
import { errorResponse } from '../http/response.ts';
import { type Method, matchRoute, type Route } from '../http/route.ts';
import { rejectCredentials } from '../portal/authorize.ts';
import type { Handler } from '../portal/request-context.ts';
import { listAlerts, readAlert } from './alerts.ts';
import { createPolicy, listPolicies, replacePolicy } from './policies.ts';
import { deleteUser, listUsers, patchUser, readUser } from './users.ts';

/** Every endpoint of the contract (§4 Endpoints), and the list of policies that it implies. */
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

export const documentedDialect: ServedDialect = {
  name: 'documented',
  unitHeader: 'x-service-organizationalunit-context',
  find(method, path) {
    const match = matchRoute(routes, method, path);
    return match.kind === 'found' ? { ...match, negotiate } : match;
  },
  rejectCredentials,
  seedPolicy: (policy) => policy,
};

function negotiate(accept: string | undefined): Negotiation {
  if (acceptsVersion(accept)) return { ok: true, version: 1, contentType: 'application/json' };
  return {
    ok: false,
    rejection: errorResponse(406, 'Accept must be application/api.service.*=v1+json.'),
  };
}

/**
 * Whether the Accept header names an existing version (§9 Versioning). v1 is the only one, and the
 * default without a header or with HTTP's wildcard.
 */
function acceptsVersion(accept: string | undefined): boolean {
  if (accept === undefined || accept === '*/*') return true;
  const version = /^application\/api\.service\.\*=v(\d+)\+json$/.exec(accept.trim())?.[1];
  return version === '1';
}
