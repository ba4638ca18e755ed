import { errors } from 'undici';
import { isTimeout } from './deadline.ts';
import {
  type ServiceErrorFacts,
  ServiceTimeoutError,
  ServiceUnreachableError,
  UnexpectedResponseError,
} from './errors.ts';

const timeoutCodes = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
]);
const tooLargeCodes = new Set(['UND_ERR_RES_EXCEEDED_MAX_SIZE', 'UND_ERR_HEADERS_OVERFLOW']);

/**
 * The error for a request without a complete response; the signal's reason if the caller aborted.
 * The cause is dropped on purpose: it can hold parts of the request, and with them the token.
 */
export function errorForFailure(
  cause: unknown,
  signal: AbortSignal | undefined,
  facts: ServiceErrorFacts,
): unknown {
  if (signal?.aborted && cause === signal.reason) {
    return isTimeout(cause) ? new ServiceTimeoutError('timed out', facts) : cause;
  }
  const code = codeOf(cause);
  if (isTimeoutFailure(cause)) {
    return new ServiceTimeoutError('the service did not respond in time', facts);
  }
  if (code !== undefined && tooLargeCodes.has(code)) {
    return new UnexpectedResponseError('the response is too large', facts);
  }
  if (cause instanceof errors.HTTPParserError) {
    return new UnexpectedResponseError('the response is not HTTP', facts);
  }
  const what = facts.mayHaveActed ? 'the connection was lost' : 'the service is unreachable';
  return new ServiceUnreachableError(`${what} (${code ?? 'no code'})`, { ...facts, code });
}

/** Whether time ran out: the call's own, or that of the connection, the headers or the body. */
export function isTimeoutFailure(cause: unknown): boolean {
  return isTimeout(cause) || timeoutCodes.has(codeOf(cause) ?? '');
}

export function codeOf(cause: unknown): string | undefined {
  if (!(cause instanceof Error) || !('code' in cause)) return undefined;
  return typeof cause.code === 'string' ? cause.code : undefined;
}
