import { z } from 'zod';
import { parseJson } from '../json.ts';
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
import type { ExchangeAnswer } from './exchange.ts';

const errorBodySchema = z.object({
  errors: z.tuple([z.object({ error_message: z.string() })], z.unknown()),
});

/** The error that a status outside 2xx stands for; the contract names none, so all are expected. */
export function errorForStatus(answer: ExchangeAnswer, facts: ServiceErrorFacts): ServiceError {
  const { status } = answer;
  switch (status) {
    case 401:
      return new CredentialsRefusedError('the service did not accept the token', facts);
    case 403:
      return new ForbiddenError('the service does not allow this', facts);
    case 404:
      return new NotFoundError('the service knows no such thing', facts);
    case 405:
      return new MethodNotAllowedError('the service does not offer this operation', facts);
    case 409:
    case 412:
    case 423:
      return new ConflictError(`it clashes with what the service holds (${status})`, facts);
    case 429:
      return new RateLimitedError('the service asks for fewer requests', {
        ...facts,
        retryAfterSeconds: readRetryAfter(answer.headers),
      });
    default:
      if (status >= 500) return new ServerError(`the service failed (${status})`, facts);
      if (status >= 400) return new RequestRejectedError(`the service refused (${status})`, facts);
      return new UnexpectedResponseError(`unexpected status ${status}, not followed`, facts);
  }
}

/** The first message of the service's error body; undefined when the body is not one. */
export function readServiceMessage(body: string): string | undefined {
  const parsed = errorBodySchema.safeParse(parseJson(body));
  return parsed.success ? parsed.data.errors[0].error_message : undefined;
}

/** Seconds to wait, however the service spells them. */
export function readRetryAfter(headers: ExchangeAnswer['headers']): number | undefined {
  const retryAfter = String(headers['retry-after'] ?? '').trim();
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter);
  // As a date it is read against the service's own clock, so that a skewed one does no harm.
  const seconds = (Date.parse(retryAfter) - Date.parse(String(headers.date))) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}
