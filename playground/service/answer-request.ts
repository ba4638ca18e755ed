import type { IncomingHttpHeaders } from 'node:http';
import { acceptsVersion } from './accepts-version.ts';
import { type Answer, refuse } from './answer.ts';
import { chooseUnit, findGrant, refuseCredentials } from './authorize.ts';
import type { LinkSet } from './call.ts';
import { parseBody, type ReceivedBody } from './read-body.ts';
import type { OrganizationalUnit } from './resources.ts';
import { matchRoute } from './route.ts';
import type { Store } from './store.ts';
import type { Grant } from './tokens.ts';

export type PortalRequest = {
  method: string;
  /** Path and query, as received. */
  target: string;
  headers: IncomingHttpHeaders;
  body: ReceivedBody;
};

export type PortalState = {
  store: Store;
  grants: readonly Grant[];
  organizationalUnits: readonly OrganizationalUnit[];
  links: LinkSet;
  listsPolicies: boolean;
};

/** The checks common to all endpoints, in order: a stranger learns nothing but that it is one. */
export function answerRequest(request: PortalRequest, portal: PortalState): Answer {
  const { method, headers } = request;
  const grant = findGrant(headers, portal.grants);
  if (!grant) return refuseCredentials();

  const [path = '', queryText = ''] = request.target.split(/\?(.*)/s);
  const match = matchRoute(method, path, portal);
  if (match.kind === 'unknown-path') return refuse(404, 'There is nothing at this path.');
  if (match.kind === 'wrong-method') {
    const allow = match.allowed.join(', ');
    return refuse(405, `This path takes ${allow}.`, { allow });
  }
  if (!acceptsVersion(headers.accept)) {
    return refuse(406, 'Accept must be application/api.service.*=v1+json.');
  }
  const choice = chooseUnit(headers, grant, portal.organizationalUnits);
  if (!choice.ok) return choice.refusal;

  const { route, resourceId } = match;
  const query = new URLSearchParams(queryText);
  const refusedQuery = refuseUndocumented(query, route.parameters);
  if (refusedQuery) return refusedQuery;

  if (request.body.tooLarge) return refuse(413, 'The body is larger than 1 MB.');
  const body = route.takesBody ? parseBody(headers, request.body) : noBody;
  if (!body.ok) return body.refusal;

  const { store, links } = portal;
  const { unit } = choice;
  return route.handle({ store, unit, path, resourceId, query, body: body.value, links });
}

const noBody = { ok: true, value: undefined } as const;

function refuseUndocumented(
  query: URLSearchParams,
  documented: readonly string[],
): Answer | undefined {
  for (const name of query.keys()) {
    if (!documented.includes(name)) return refuse(400, `Unknown query parameter "${name}".`);
    if (query.getAll(name).length > 1) return refuse(400, `Give "${name}" once.`);
  }
  return undefined;
}
