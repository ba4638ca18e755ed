import type { Dispatcher } from 'undici';
import type { z } from 'zod';
import type { ServiceConnection } from './connection.ts';
import type { Dialect } from './dialects/dialect.ts';
import type { Discoveries, KnownDiscovery } from './dialects/discoveries.ts';
import { startDeadline } from './http/deadline.ts';
import { ForeignLinkError, NotFoundError, type ServiceErrorFacts } from './http/errors.ts';
import { exchange } from './http/exchange.ts';
import type { Limiters, Priority } from './http/limiter.ts';
import { readAnswer } from './http/read-response.ts';
import { assertSendable, requestHeaders } from './http/request-headers.ts';
import {
  describeRequest,
  type RequestTarget,
  requestPath,
  withQuery,
} from './http/request-path.ts';
import { defaultRetryPolicy, type RetryPolicy } from './http/retry-policy.ts';
import { sendWithRetry } from './http/send-with-retry.ts';
import { errorForFailure } from './http/transport-error.ts';
import type { JsonObject } from './json.ts';

export type ServiceRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  target: RequestTarget;
  query?: Record<string, string | undefined>;
  body?: JsonObject;
  signal?: AbortSignal | undefined;
};

/**
 * What every call of this folder takes beside its own parameters. The signal ends the call, and of
 * a list the whole walk: with `AbortSignal.timeout` it is a deadline that ends in a
 * `ServiceTimeoutError`, as a request of its own does after `timeoutMs`.
 */
export type CallOptions = { signal?: AbortSignal | undefined };

/** Speaks to one connection. It keeps the token to itself: no property of it holds one. */
export type ServiceClient = {
  readonly baseUrl: string;
  readonly dialect: Dialect;
  readonly knownDiscovery: KnownDiscovery;
  /** Sends a request and reads its answer, `undefined` for an empty one, by `answerSchema`. */
  send<Answer>(request: ServiceRequest, answerSchema: z.ZodType<Answer>): Promise<Answer>;
};

/** What all clients of a process share. */
export type ServiceTransport = {
  dispatcher: Dispatcher;
  limiters: Limiters;
  discoveries: Discoveries;
  /** Of those clients that are given none of their own. */
  retry?: RetryPolicy | undefined;
};

export type ClientOptions = {
  /** The longest that one request may take in all: waiting its turn, every attempt, the body. */
  timeoutMs?: number;
  priority?: Priority;
  retry?: RetryPolicy;
  random?: () => number;
  /** Milliseconds that only go forward. */
  now?: () => number;
};

const defaultOptions: Required<Omit<ClientOptions, 'retry'>> = {
  timeoutMs: 15_000,
  priority: 'interactive',
  random: Math.random,
  now: () => performance.now(),
};

const maxDescription = 200;

/**
 * A client for one connection (contract, sections 2, 5 and 9). Every call throws a `ServiceError`,
 * or the reason of the caller's signal when that is not a time-out. What may pass is tried again
 * (`retry-policy.ts`), but no change is sent again that could act twice.
 */
export function createServiceClient(
  connection: ServiceConnection,
  { dispatcher, limiters, discoveries, retry = defaultRetryPolicy }: ServiceTransport,
  options: ClientOptions = {},
): ServiceClient {
  const { baseUrl, dialect } = connection;
  const { origin } = new URL(baseUrl);
  const { timeoutMs, now, ...manners } = { ...defaultOptions, retry, ...options };
  const limiter = limiters.limiterFor(connection);
  // A service may echo what it was sent, in a link or a message; an error must not pass it on.
  const redact = (text: string) => withoutToken(text, connection.token);

  return {
    baseUrl,
    dialect,
    knownDiscovery: discoveries.of(connection),
    async send({ method, target, query = {}, body, signal }, answerSchema) {
      const isWrite = method !== 'GET';
      const found = requestPath(baseUrl, target);
      // Cut after redacting, or the cut could leave the first part of a token.
      const request = redact(describeRequest(method, target, found)).slice(0, maxDescription);
      const unsent: ServiceErrorFacts = { request, mayHaveActed: false };
      assertSendable(connection, unsent);
      if (found.outcome === 'no-path') throw new NotFoundError('no id can look so', unsent);
      if (found.outcome === 'foreign') {
        throw new ForeignLinkError('the link leads away from the service', unsent);
      }

      const deadline = startDeadline(timeoutMs, signal, now);
      const wire = {
        origin,
        path: withQuery(found.path, query),
        method,
        headers: requestHeaders(connection, { path: found.path, hasBody: body !== undefined }),
        body: body && JSON.stringify(body),
        signal: deadline.signal,
      };
      const result = await sendWithRetry(
        () => exchange(dispatcher, wire),
        { isWrite, deadline },
        { ...manners, limiter },
      ).finally(deadline.release);
      if (result.outcome === 'failed') {
        const mayHaveActed = isWrite && result.sent;
        throw errorForFailure(result.cause, deadline.signal, { request, mayHaveActed });
      }
      return readAnswer(result, answerSchema, { request, isWrite, redact });
    },
  };
}

function withoutToken(text: string, token: string): string {
  if (token === '') return text;
  return text
    .replaceAll(token, '[token]')
    .replaceAll(encodeURIComponent(token.toWellFormed()), '[token]');
}
