import type { ExchangeAnswer, ExchangeFailure } from './exchange.ts';
import { readRetryAfter } from './status-error.ts';
import { codeOf } from './transport-error.ts';

/**
 * How often and how patiently a request is tried. The waits double from `firstWaitMs` on; a service
 * that asks for a longer one than `maxWaitMs` is not waited for, it is told about.
 */
export type RetryPolicy = { maxAttempts: number; firstWaitMs: number; maxWaitMs: number };

export const defaultRetryPolicy: RetryPolicy = {
  maxAttempts: 4,
  firstWaitMs: 250,
  maxWaitMs: 4_000,
};

/** Not 500: a service may answer it to a request that it will never be able to serve. */
const passingStatuses = new Set([429, 502, 503, 504]);

/** No connection, or it was lost. A name that does not resolve or a wrong certificate will stay so. */
const passingCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_SOCKET',
]);

export type Attempt = {
  result: ExchangeAnswer | ExchangeFailure;
  /** From 1. */
  number: number;
  isWrite: boolean;
};

/**
 * How long to wait before the next attempt, or undefined when there must be none. A write is only
 * repeated when the service cannot have acted on it: it never saw it, or refused it with a 429.
 * `random` yields 0 to 1, so that those who failed together do not come back together.
 */
export function retryWaitMs(
  { result, number, isWrite }: Attempt,
  { maxAttempts, firstWaitMs, maxWaitMs }: RetryPolicy,
  random: () => number,
): number | undefined {
  if (number >= maxAttempts || !mayPass(result, isWrite)) return undefined;
  const askedMs = askedWaitMs(result);
  if (askedMs > maxWaitMs) return undefined;
  const backOffMs = Math.min(maxWaitMs, firstWaitMs * 2 ** (number - 1));
  return askedMs + backOffMs * (0.5 + random() / 2);
}

function mayPass(result: ExchangeAnswer | ExchangeFailure, isWrite: boolean): boolean {
  if (result.outcome === 'answered') {
    return passingStatuses.has(result.status) && (!isWrite || result.status === 429);
  }
  return passingCodes.has(codeOf(result.cause) ?? '') && (!isWrite || !result.sent);
}

function askedWaitMs(result: ExchangeAnswer | ExchangeFailure): number {
  if (result.outcome === 'failed') return 0;
  return (readRetryAfter(result.headers) ?? 0) * 1000;
}
