import type { Deadline } from './deadline.ts';
import type { ExchangeFailure, ExchangeResponse } from './exchange.ts';
import type { Limiter, Priority } from './limiter.ts';
import { readRetryAfter } from './read-response.ts';
import { codeOf } from './transport-error.ts';

/**
 * How often a request is tried. The waits double from `firstWaitMs` on. A `Retry-After` longer than
 * `maxWaitMs` isn't waited for but reported to the caller.
 */
export type RetryPolicy = { maxAttempts: number; firstWaitMs: number; maxWaitMs: number };

export const defaultRetryPolicy: RetryPolicy = {
  maxAttempts: 4,
  firstWaitMs: 250,
  maxWaitMs: 4_000,
};

/** Not 500: the live service responds 500 to some malformed requests (§10 The live dialect). */
const transientStatuses = new Set([429, 502, 503, 504]);

/** No connection, or it was lost. Not ENOTFOUND or TLS errors, which don't go away by themselves. */
const transientCodes = new Set([
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

type Result = ExchangeResponse | ExchangeFailure;

type RetryOptions = {
  limiter: Limiter;
  priority: Priority;
  retry: RetryPolicy;
  random: () => number;
};

/**
 * Sends a request, and again after a transient failure. Every attempt waits for the rate limit.
 * Returns the last result when attempts or time run out.
 */
export async function sendWithRetry(
  exchange: () => Promise<Result>,
  { isWrite, deadline }: { isWrite: boolean; deadline: Deadline },
  { limiter, priority, retry, random }: RetryOptions,
): Promise<Result> {
  const { signal } = deadline;
  const aborted = (): Result => ({ outcome: 'failed', sent: false, cause: signal.reason });

  for (let number = 1; ; number += 1) {
    const result = await limiter(exchange, { priority, signal }).catch((error: unknown) => {
      if (signal.aborted) return aborted();
      throw error;
    });
    const waitMs = retryWaitMs({ result, number, isWrite }, retry, random);
    if (waitMs === undefined) return result;
    if (!(await deadline.sleep(waitMs))) return deadline.isAborted() ? aborted() : result;
  }
}

type Attempt = {
  result: Result;
  /** From 1. */
  number: number;
  isWrite: boolean;
};

/**
 * How long to wait before the next attempt; undefined for no further attempt. A write is repeated
 * only if the service can't have acted on it: it wasn't sent, or was rejected with 429. `random`
 * returns 0 to 1 and spreads the retries of requests that failed together.
 */
export function retryWaitMs(
  { result, number, isWrite }: Attempt,
  { maxAttempts, firstWaitMs, maxWaitMs }: RetryPolicy,
  random: () => number,
): number | undefined {
  if (number >= maxAttempts || !isTransient(result, isWrite)) return undefined;
  const retryAfterMs = readRetryAfterMs(result);
  if (retryAfterMs > maxWaitMs) return undefined;
  const backOffMs = Math.min(maxWaitMs, firstWaitMs * 2 ** (number - 1));
  return retryAfterMs + backOffMs * (0.5 + random() / 2);
}

function isTransient(result: Result, isWrite: boolean): boolean {
  if (result.outcome === 'responded') {
    return transientStatuses.has(result.status) && (!isWrite || result.status === 429);
  }
  return transientCodes.has(codeOf(result.cause) ?? '') && (!isWrite || !result.sent);
}

function readRetryAfterMs(result: Result): number {
  if (result.outcome === 'failed') return 0;
  return (readRetryAfter(result.headers) ?? 0) * 1000;
}
