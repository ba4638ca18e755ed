import type { Dispatcher } from 'undici';
import type { z } from 'zod';
import type { ServiceConnection } from './connection.ts';
import {
  AnswerNotUnderstoodError,
  CredentialsRefusedError,
  ForeignLinkError,
  NotAllowedError,
  NotFoundError,
  type ServiceErrorFacts,
} from './errors.ts';
import { type ExchangeAnswer, exchange } from './exchange.ts';
import type { JsonObject } from './lenient-object.ts';
import { describeRequest, type RequestTarget, requestPath } from './request-path.ts';
import { errorForStatus, parseJson, readServiceMessage } from './status-error.ts';
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
  /** Sends a request once and reads its answer, `undefined` for an empty one, by `answerSchema`. */
  send<Answer>(request: ServiceRequest, answerSchema: z.ZodType<Answer>): Promise<Answer>;
};

const printableAscii = /^[\x21-\x7e]+$/;

/**
 * A client for one connection (contract, sections 2, 5 and 9). Every call throws a `ServiceError`,
 * or the reason of the caller's signal when that is not a time-out. Nothing is sent twice.
 */
export function createServiceClient(
  connection: ServiceConnection,
  { dispatcher }: { dispatcher: Dispatcher },
): ServiceClient {
  const { baseUrl } = connection;
  const { origin } = new URL(baseUrl);
  const redact = (text: string) => withoutToken(text, connection.token);

  return {
    baseUrl,
    async send({ method, target, query = {}, body, signal }, answerSchema) {
      const request = redact(describeRequest(method, baseUrl, target));
      const unsent: ServiceErrorFacts = { request, mayHaveActed: false };
      assertSendable(connection, unsent);
      const resolved = requestPath(baseUrl, target);
      if (resolved.outcome === 'no-path') throw new NotFoundError('no id can look so', unsent);
      if (resolved.outcome === 'foreign') {
        throw new ForeignLinkError('the link leads away from the service', unsent);
      }

      const result = await exchange(dispatcher, {
        origin,
        path: withQuery(resolved.path, query),
        method,
        headers: headersFor(connection, body !== undefined),
        body: body && JSON.stringify(body),
        signal,
      });
      const isWrite = method !== 'GET';
      if (result.outcome === 'failed') {
        const facts = { request, mayHaveActed: isWrite && result.sent };
        throw errorForFailure(result.cause, signal, facts);
      }

      const { status } = result;
      const wasRefused = status >= 400 && status < 500;
      const facts = { request, status, mayHaveActed: isWrite && !wasRefused };
      if (status < 200 || status >= 300) {
        const said = readServiceMessage(redact(result.body));
        throw errorForStatus(result, { ...facts, serviceMessage: said });
      }
      const answer = answerSchema.safeParse(parseBody(result, facts));
      if (!answer.success) {
        const where = answer.error.issues[0]?.path.join('.') || 'the whole';
        throw new AnswerNotUnderstoodError(`unexpected answer (${where})`, facts);
      }
      return answer.data;
    },
  };
}

/** Refuses what would not survive as a header: no service can have issued such a value. */
function assertSendable(connection: ServiceConnection, facts: ServiceErrorFacts): void {
  const { token, organizationalUnitId } = connection;
  if (!printableAscii.test(token)) {
    throw new CredentialsRefusedError('no token can look like the one given', facts);
  }
  if (organizationalUnitId !== undefined && !printableAscii.test(organizationalUnitId)) {
    throw new NotAllowedError('no organizational unit id can look like the one given', facts);
  }
}

function headersFor({ token, organizationalUnitId }: ServiceConnection, hasBody: boolean) {
  return {
    authorization: `Bearer ${token}`,
    // Without it the service answers in its latest version, whatever that will be.
    accept: 'application/api.service.*=v1+json',
    ...(organizationalUnitId !== undefined && {
      'x-service-organizationalunit-context': organizationalUnitId,
    }),
    ...(hasBody && { 'content-type': 'application/json' }),
  };
}

function withQuery(path: string, query: Record<string, string | undefined>): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  if (given.length === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(given)}`;
}

/** The content type is not asked: services label JSON in many ways, and HTML never parses. */
function parseBody({ body }: ExchangeAnswer, facts: ServiceErrorFacts): unknown {
  if (body.trim() === '') return undefined;
  const json = parseJson(body);
  if (json === undefined) throw new AnswerNotUnderstoodError('the answer is not JSON', facts);
  return json;
}

/** A service may echo what it was sent; an error must not pass it on. */
function withoutToken(text: string, token: string): string {
  if (token === '') return text;
  return text.replaceAll(token, '[token]').replaceAll(encodeURIComponentOrSame(token), '[token]');
}

function encodeURIComponentOrSame(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : text;
}
