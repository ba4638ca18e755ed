import type { Dispatcher } from 'undici';
import type { z } from 'zod';
import type { ServiceConnection } from './connection.ts';
import { ForeignLinkError, NotFoundError, type ServiceErrorFacts } from './errors.ts';
import { exchange } from './exchange.ts';
import type { Form } from './forms/form.ts';
import type { JsonObject } from './json.ts';
import { readAnswer } from './read-answer.ts';
import { assertSendable, requestHeaders } from './request-headers.ts';
import { describeRequest, type RequestTarget, requestPath, withQuery } from './request-path.ts';
import { errorForFailure } from './transport-error.ts';

export type ServiceRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  target: RequestTarget;
  query?: Record<string, string | undefined>;
  body?: JsonObject;
  signal?: AbortSignal | undefined;
};

/** What every call of this folder takes beside its own parameters. */
export type CallOptions = { signal?: AbortSignal | undefined };

/** Speaks to one connection. It keeps the token to itself: no property of it holds one. */
export type ServiceClient = {
  readonly baseUrl: string;
  readonly form: Form;
  /** Sends a request once and reads its answer, `undefined` for an empty one, by `answerSchema`. */
  send<Answer>(request: ServiceRequest, answerSchema: z.ZodType<Answer>): Promise<Answer>;
};

const maxDescription = 200;

/**
 * A client for one connection (contract, sections 2, 5 and 9). Every call throws a `ServiceError`,
 * or the reason of the caller's signal when that is not a time-out. Nothing is sent twice.
 */
export function createServiceClient(
  connection: ServiceConnection,
  { dispatcher }: { dispatcher: Dispatcher },
): ServiceClient {
  const { baseUrl, form } = connection;
  const { origin } = new URL(baseUrl);
  // A service may echo what it was sent, in a link or a message; an error must not pass it on.
  const redact = (text: string) => withoutToken(text, connection.token);

  return {
    baseUrl,
    form,
    async send({ method, target, query = {}, body, signal }, answerSchema) {
      const isWrite = method !== 'GET';
      // Cut after redacting, or the cut could leave the first part of a token.
      const request = redact(describeRequest(method, baseUrl, target)).slice(0, maxDescription);
      const unsent: ServiceErrorFacts = { request, mayHaveActed: false };
      assertSendable(connection, unsent);
      const found = requestPath(baseUrl, target);
      if (found.outcome === 'no-path') throw new NotFoundError('no id can look so', unsent);
      if (found.outcome === 'foreign') {
        throw new ForeignLinkError('the link leads away from the service', unsent);
      }

      const result = await exchange(dispatcher, {
        origin,
        path: withQuery(found.path, query),
        method,
        headers: requestHeaders(connection, { path: found.path, hasBody: body !== undefined }),
        body: body && JSON.stringify(body),
        signal,
      });
      if (result.outcome === 'failed') {
        const mayHaveActed = isWrite && result.sent;
        throw errorForFailure(result.cause, signal, { request, mayHaveActed });
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
