import { z } from 'zod';
import { parseJson } from '../../json.ts';
import {
  ConflictError,
  CredentialsRefusedError,
  ForbiddenError,
  MethodNotAllowedError,
  NotFoundError,
  RateLimitedError,
  RequestRejectedError,
  ServerError,
  type ServiceError,
  type ServiceErrorFacts,
  UnexpectedResponseError,
} from './errors.ts';
import type { ExchangeResponse } from './exchange.ts';

const maxServiceMessage = 300;

/**
 * The parsed JSON body of a 2xx response; `undefined` is parsed for an empty body. `redact` removes
 * the token from text that the service wrote.
 * @throws {ServiceError} for every other response (§7 Errors).
 */
export function readResponse<Value>(
  response: ExchangeResponse,
  schema: z.ZodType<Value>,
  {
    request,
    isWrite,
    parse,
    redact,
  }: {
    request: string;
    isWrite: boolean;
    parse: (text: string) => unknown;
    redact: (text: string) => string;
  },
): Value {
  const { status, body } = response;
  const isRejected = status >= 400 && status < 500;
  const facts: ServiceErrorFacts = { request, status, mayHaveActed: isWrite && !isRejected };
  if (status < 200 || status >= 300) {
    const serviceMessage = redact(readServiceMessage(body) ?? '').slice(0, maxServiceMessage);
    throw errorForStatus(response, { ...facts, serviceMessage: serviceMessage || undefined });
  }

  // The content type is ignored: services label JSON in many ways, and HTML never parses.
  const json = parse(body);
  if (json === undefined && body.trim() !== '') {
    throw new UnexpectedResponseError('the response is not JSON', facts);
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues[0]?.path.join('.') || 'body';
  throw new UnexpectedResponseError(`unexpected response (${where})`, facts);
}

/** The error for a status other than 2xx. §7 Errors names none, so any status is expected. */
function errorForStatus(response: ExchangeResponse, facts: ServiceErrorFacts): ServiceError {
  const { status } = response;
  switch (status) {
    case 401:
      return new CredentialsRefusedError('the token was not accepted', facts);
    case 403:
      return new ForbiddenError('forbidden', facts);
    case 404:
      return new NotFoundError('not found', facts);
    case 405:
      return new MethodNotAllowedError('method not allowed', facts);
    case 409:
    case 412:
    case 423:
      return new ConflictError(`conflict (${status})`, facts);
    case 429:
      return new RateLimitedError('rate-limited', {
        ...facts,
        retryAfterSeconds: readRetryAfter(response.headers),
      });
    default:
      if (status >= 500) return new ServerError(`server error (${status})`, facts);
      if (status >= 400) return new RequestRejectedError(`rejected (${status})`, facts);
      return new UnexpectedResponseError(`unexpected status ${status}, not followed`, facts);
  }
}

const errorBodySchema = z.object({
  errors: z.tuple([z.object({ error_message: z.string() })], z.unknown()),
});

/** The first message of the service's error body (§10 The live dialect), if it has one. */
function readServiceMessage(body: string): string | undefined {
  const parsed = errorBodySchema.safeParse(parseJson(body));
  return parsed.success ? parsed.data.errors[0].error_message : undefined;
}

/** `Retry-After` in seconds, from either of its two formats. */
export function readRetryAfter(headers: ExchangeResponse['headers']): number | undefined {
  const retryAfter = String(headers['retry-after'] ?? '').trim();
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter);
  // A date is compared with the service's own clock, so that a skewed clock does no harm.
  const seconds = (Date.parse(retryAfter) - Date.parse(String(headers.date))) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}
