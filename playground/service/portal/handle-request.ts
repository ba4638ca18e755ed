import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../../../src/clock.ts';
import type { Store } from '../data/store.ts';
import type { ServedDialect } from '../dialect.ts';
import { parseBody, type ReceivedBody } from '../http/read-body.ts';
import { errorResponse, type ServiceResponse } from '../http/response.ts';
import type { TaskRunner } from '../tasks.ts';
import { chooseUnit, findGrant, type Grant } from './authorize.ts';
import type { PortalSettings } from './request-context.ts';

type PortalRequest = {
  method: string;
  /** Path and query, as received. */
  target: string;
  headers: IncomingHttpHeaders;
  body: ReceivedBody;
};

export type PortalState = {
  dialect: ServedDialect;
  store: Store;
  tasks: TaskRunner;
  grants: readonly Grant[];
  settings: PortalSettings;
  clock: Clock;
};

/**
 * Runs the checks that all endpoints share, then the endpoint. Credentials are checked first, so
 * that requests without credentials reveal nothing else.
 */
export function handleRequest(request: PortalRequest, portal: PortalState): ServiceResponse {
  const { method, headers } = request;
  const { dialect, settings } = portal;
  const grant = findGrant(headers, portal.grants);
  if (!grant) return dialect.rejectCredentials(headers);

  const [path = '', queryText = ''] = request.target.split(/\?(.*)/s);
  const match = dialect.find(method, path);
  if (match.kind === 'unknown-path') return errorResponse(404, 'There is nothing at this path.');
  if (match.kind === 'wrong-method') {
    const allow = match.allowed.join(', ');
    return errorResponse(405, `This path takes ${allow}.`, { allow });
  }
  const negotiation = match.negotiate(headers.accept);
  if (!negotiation.ok) return negotiation.rejection;
  const requestedUnit = headers[dialect.unitHeader]?.toString();
  const choice = chooseUnit(requestedUnit, grant, settings.organizationalUnits);
  if (!choice.ok) return choice.rejection;

  const { route, resourceId } = match;
  const query = new URLSearchParams(queryText);
  const rejectedQuery = rejectParameters(query, route.parameters);
  if (rejectedQuery) return rejectedQuery;

  if (request.body.tooLarge) return errorResponse(413, 'The body is larger than 1 MB.');
  const body = route.takesBody ? parseBody(headers, request.body) : noBody;
  if (!body.ok) return body.rejection;

  portal.tasks.settle();
  const response = route.handle({
    store: portal.store,
    tasks: portal.tasks,
    portal: settings,
    grant,
    unit: choice.unit,
    now: portal.clock(),
    path,
    resourceId,
    query,
    body: body.value,
    version: negotiation.version,
  });
  const hasVersion = response.status < 400 && response.text !== '';
  return hasVersion ? { ...response, contentType: negotiation.contentType } : response;
}

const noBody = { ok: true, value: undefined } as const;

/**
 * A choice: no source says what the public service does with unknown parameters, and a client that
 * misspells one should notice.
 */
function rejectParameters(
  query: URLSearchParams,
  documented: readonly string[],
): ServiceResponse | undefined {
  for (const name of query.keys()) {
    if (!documented.includes(name)) return errorResponse(400, `Unknown query parameter "${name}".`);
    if (query.getAll(name).length > 1) return errorResponse(400, `Give "${name}" once.`);
  }
  return undefined;
}
