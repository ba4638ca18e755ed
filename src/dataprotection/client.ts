import type { Dispatcher } from 'undici';
import { z } from 'zod';
import { parseJson } from '../json.ts';
import { inCallSpan, isTraced, setFailed } from '../tracing.ts';
import type { ServiceConnection } from './connection.ts';
import { type Dialect, dialectRules } from './dialects/dialect.ts';
import {
  type CachedDiscovery,
  createDiscoveryCache,
  type DiscoveryCache,
} from './dialects/discovery-cache.ts';
import { startDeadline } from './http/deadline.ts';
import { createDispatcher, type ServiceTimeouts } from './http/dispatcher.ts';
import {
  CredentialsRefusedError,
  ForbiddenError,
  ForeignLinkError,
  NotFoundError,
  type ServiceErrorFacts,
} from './http/errors.ts';
import { type ExchangeFailure, type ExchangeResponse, exchange } from './http/exchange.ts';
import { createLimiters, type Limiters, type Priority } from './http/limiter.ts';
import { readResponse } from './http/read-response.ts';
import {
  describeRequest,
  parseBaseUrl,
  pathTemplate,
  type RequestTarget,
  requestPath,
  withQuery,
} from './http/request-path.ts';
import { defaultRetryPolicy, type RetryPolicy, sendWithRetry } from './http/retry.ts';
import { errorForFailure, isTimeoutFailure } from './http/transport-error.ts';
import type { JsonObject } from './json.ts';

export type ServiceRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  target: RequestTarget;
  query?: Record<string, string | undefined>;
  /** A string is sent as it is: JSON that somebody has seen. */
  body?: JsonObject | string;
  /** How the response is read, if not with `parseJson`. */
  parse?: ((text: string) => unknown) | undefined;
  signal?: AbortSignal | undefined;
  /** Called right before each attempt is put on the wire; it may abort the signal. */
  beforeSend?: (() => void) | undefined;
};

/**
 * Options of every call to the service. The signal ends the call, or the reading of a whole list:
 * an aborted `AbortSignal.timeout` becomes a `ServiceTimeoutError`, any other reason is thrown.
 */
export type CallOptions = { signal?: AbortSignal | undefined };

/** Sends requests for one connection. No property holds the token. */
export type ServiceClient = {
  readonly baseUrl: string;
  readonly dialect: Dialect;
  readonly discovery: CachedDiscovery;
  /** Sends a request and parses the response; `undefined` is parsed for an empty one. */
  send<Value>(request: ServiceRequest, responseSchema: z.ZodType<Value>): Promise<Value>;
};

/** Shared by all clients of a process. */
export type ServiceTransport = {
  dispatcher: Dispatcher;
  limiters: Limiters;
  discoveryCache: DiscoveryCache;
  /** Called after every attempt of every request. */
  onExchange?: ((exchange: ExchangeReport) => void) | undefined;
  /** The defaults of all clients. */
  options?: ClientOptions | undefined;
};

/** A transport of its own, with new connections and caches. The caller closes its dispatcher. */
export function createTransport({
  limiters = createLimiters(),
  timeouts,
}: {
  limiters?: Limiters;
  timeouts?: Partial<ServiceTimeouts> | undefined;
} = {}) {
  const dispatcher = createDispatcher(timeouts);
  return { dispatcher, limiters, discoveryCache: createDiscoveryCache() };
}

export type ClientOptions = {
  /** Limit for one call in all: waiting for the rate limit, every attempt, the body. */
  timeoutMs?: number;
  priority?: Priority;
  retry?: RetryPolicy;
  random?: () => number;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
};

const defaultOptions: Required<ClientOptions> = {
  timeoutMs: 15_000,
  priority: 'interactive',
  retry: defaultRetryPolicy,
  random: Math.random,
  now: () => performance.now(),
};

/**
 * A client for one connection (§2 Resources and their fields, §5 Authentication, §9 Versioning).
 * Transient failures are retried, but never a change that could act twice (`http/retry.ts`).
 * @throws {ServiceError} from every call; or the reason of the caller's signal if it isn't a timeout.
 */
export function createServiceClient(
  connection: ServiceConnection,
  { dispatcher, limiters, discoveryCache, onExchange, options: defaults }: ServiceTransport,
  options: ClientOptions = {},
): ServiceClient {
  const { baseUrl, dialect } = connection;
  const { origin } = parseBaseUrl(baseUrl);
  const { timeoutMs, now, ...retryOptions } = { ...defaultOptions, ...defaults, ...options };
  const limiter = limiters.limiterFor(connection);
  // A service may echo the token in a link or a message. It must not end up in an error.
  const redact = (text: string) => withoutToken(text, connection.token);

  return {
    baseUrl,
    dialect,
    discovery: discoveryCache.forConnection(connection),
    async send(
      { method, target, query = {}, body, parse = parseJson, signal, beforeSend },
      responseSchema,
    ) {
      const isWrite = method !== 'GET';
      const found = requestPath(baseUrl, target);
      const request = describeRequest(method, baseUrl, found);
      const unsent: ServiceErrorFacts = { request, mayHaveActed: false };
      assertSendable(connection, unsent);
      if (found.outcome === 'invalid') throw new NotFoundError('not a valid id', unsent);
      if (found.outcome === 'foreign') {
        throw new ForeignLinkError('the link leads away from the service', unsent);
      }

      const deadline = startDeadline(timeoutMs, signal, now);
      const wire = {
        origin,
        path: withQuery(found.path, query),
        method,
        headers: requestHeaders(connection, { path: found.path, hasBody: body !== undefined }),
        body: typeof body === 'object' ? JSON.stringify(body) : body,
        signal: deadline.signal,
        beforeSend,
      };
      const send = () => exchange(dispatcher, wire);
      const call = { method, template: pathTemplate(baseUrl, found.path) };
      const result = await sendWithRetry(
        () => reportExchange(send, call, onExchange),
        { isWrite, deadline },
        { ...retryOptions, limiter },
      ).finally(deadline.release);
      if (result.outcome === 'failed') {
        const mayHaveActed = isWrite && result.sent;
        throw errorForFailure(result.cause, deadline.signal, { request, mayHaveActed });
      }
      return readResponse(result, responseSchema, { request, isWrite, parse, redact });
    },
  };
}

/** The same client, with a limit to all calls beside each call's own signal and `beforeSend`. */
export function limitClient(
  client: ServiceClient,
  { signal, beforeSend }: Required<Pick<ServiceRequest, 'signal' | 'beforeSend'>>,
): ServiceClient {
  return {
    ...client,
    send(request, responseSchema) {
      const signals = [request.signal, signal].filter((one) => one !== undefined);
      const limited = { ...request, signal: AbortSignal.any(signals) };
      const beforeEach = () => {
        request.beforeSend?.();
        beforeSend?.();
      };
      return client.send({ ...limited, beforeSend: beforeEach }, responseSchema);
    },
  };
}

/**
 * The same client, in which equal reads share one response: for checking many subjects at once.
 */
export function cacheReads(client: ServiceClient): ServiceClient {
  const reads = new Map<string, Promise<unknown>>();
  return {
    ...client,
    async send(request, responseSchema) {
      if (request.method !== 'GET') return client.send(request, responseSchema);
      const key = JSON.stringify([request.target, request.query]);
      const read = reads.get(key) ?? client.send(request, z.unknown());
      reads.set(key, read);
      read.catch(() => reads.delete(key));
      const parsed = responseSchema.safeParse(await read);
      // A response that doesn't fit fails in the client, with an error that says so.
      return parsed.success ? parsed.data : client.send(request, responseSchema);
    },
  };
}

function withoutToken(text: string, token: string): string {
  if (token === '') return text;
  return text
    .replaceAll(token, '[token]')
    .replaceAll(encodeURIComponent(token.toWellFormed()), '[token]');
}

const printableAscii = /^[\x21-\x7e]+$/;

/**
 * Rejects values that can't be sent in a header. No service can have issued one.
 * @throws {CredentialsRefusedError | ForbiddenError} without having sent anything.
 */
function assertSendable(connection: ServiceConnection, facts: ServiceErrorFacts): void {
  const { token, organizationalUnitId } = connection;
  if (!printableAscii.test(token)) {
    throw new CredentialsRefusedError('not a valid token', facts);
  }
  if (organizationalUnitId !== undefined && !printableAscii.test(organizationalUnitId)) {
    throw new ForbiddenError('not a valid organizational unit id', facts);
  }
}

/** Common request headers (§2 Resources and their fields); `path` includes the base path. */
function requestHeaders(
  { baseUrl, dialect, token, organizationalUnitId }: ServiceConnection,
  { path, hasBody }: { path: string; hasBody: boolean },
): Record<string, string> {
  const { accept, unitHeader } = dialectRules[dialect];
  return {
    authorization: `Bearer ${token}`,
    // Without it the service responds in its latest version, whatever that is (§9 Versioning).
    accept: accept(belowBase(baseUrl, path)),
    ...(organizationalUnitId !== undefined && { [unitHeader]: organizationalUnitId }),
    ...(hasBody && { 'content-type': 'application/json' }),
  };
}

function belowBase(baseUrl: string, path: string): string {
  return path.slice(parseBaseUrl(baseUrl).path.length);
}

/** How one attempt ended. `outcome` is the HTTP status, `timeout` or `unreachable`. */
type ExchangeReport = {
  method: string;
  outcome: string;
  ms: number;
  /** The time by the service's clock, if it responded with one. */
  serverDate: Date | undefined;
};

/**
 * Runs one exchange, reports its outcome to `onExchange` and to the current trace, and returns its
 * result. `template` is the path without its ids.
 */
async function reportExchange(
  exchange: () => Promise<ExchangeResponse | ExchangeFailure>,
  { method, template }: { method: string; template: string },
  onExchange: ((report: ExchangeReport) => void) | undefined,
): Promise<ExchangeResponse | ExchangeFailure> {
  if (!onExchange && !isTraced()) return exchange();
  const attributes = { 'http.request.method': method, 'url.template': template };
  return inCallSpan(`${method} ${template}`, attributes, async (span) => {
    const startedAt = performance.now();
    const result = await exchange();
    const ms = performance.now() - startedAt;
    if (result.outcome === 'failed') {
      const outcome = isTimeoutFailure(result.cause) ? 'timeout' : 'unreachable';
      setFailed(outcome);
      onExchange?.({ method, outcome, ms, serverDate: undefined });
      return result;
    }
    const { status, headers } = result;
    span?.setAttribute('http.response.status_code', status);
    if (status >= 400) setFailed(String(status));
    const date = new Date(String(headers.date));
    const serverDate = Number.isNaN(date.getTime()) ? undefined : date;
    onExchange?.({ method, outcome: String(status), ms, serverDate });
    return result;
  });
}
