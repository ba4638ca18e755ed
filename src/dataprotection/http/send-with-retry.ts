import type { Deadline } from './deadline.ts';
import type { ExchangeAnswer, ExchangeFailure } from './exchange.ts';
import type { Limiter, Priority } from './limiter.ts';
import { type RetryPolicy, retryWaitMs } from './retry-policy.ts';

type Result = ExchangeAnswer | ExchangeFailure;

export type RetryOptions = {
  limiter: Limiter;
  priority: Priority;
  retry: RetryPolicy;
  random: () => number;
};

/**
 * Exchanges when it is this request's turn, and again after a failure that may pass. Every attempt
 * waits its turn anew. When there is no time for another one, the last result stands.
 */
export async function sendWithRetry(
  exchange: () => Promise<Result>,
  { isWrite, deadline }: { isWrite: boolean; deadline: Deadline },
  { limiter, priority, retry, random }: RetryOptions,
): Promise<Result> {
  const { signal } = deadline;
  const giveUp = (): Result => ({ outcome: 'failed', sent: false, cause: signal.reason });

  for (let number = 1; ; number += 1) {
    const result = await limiter(exchange, { priority, signal }).catch((error: unknown) => {
      if (signal.aborted) return giveUp();
      throw error;
    });
    const waitMs = retryWaitMs({ result, number, isWrite }, retry, random);
    if (waitMs === undefined) return result;
    if (!(await deadline.sleep(waitMs))) return deadline.isAbandoned() ? giveUp() : result;
  }
}
