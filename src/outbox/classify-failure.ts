import {
  isTransient,
  isUnsendable,
  retryAfterMs,
  slackErrorCode,
} from '../slack/api/error-codes.ts';
import { timings } from './timings.ts';

export type FailureClass =
  /** Slack will never take this message; the next one may pass. */
  | { kind: 'refused'; code: string }
  /** Rate-limited: wait as long as Slack says. */
  | { kind: 'wait'; ms: number }
  /** Temporary or unknown, also whether the message arrived: the same message again later. */
  | { kind: 'retry'; ms: number; attempts: number };

const attemptsToMaxWait = Math.ceil(Math.log2(timings.maxRetryMs / timings.firstRetryMs));

/** What to do about an error of Slack's for a message that has failed `attempts` times before. */
export function classifyFailure(error: unknown, attempts: number): FailureClass {
  const askedMs = retryAfterMs(error);
  if (askedMs !== undefined) return { kind: 'wait', ms: Math.max(askedMs, timings.firstRetryMs) };
  const code = slackErrorCode(error);
  const isRefusal = code !== undefined && !isTransient(error);
  if (isRefusal && (isUnsendable(error) || attempts + 1 >= timings.maxRefusals)) {
    return { kind: 'refused', code };
  }
  return {
    kind: 'retry',
    ms: retryMs(attempts),
    // Temporary failures count only until the wait has its full length: they never give a message up.
    attempts: isRefusal || attempts < attemptsToMaxWait ? attempts + 1 : attempts,
  };
}

/** How long to wait after a failure that follows `failuresBefore` others. */
export function retryMs(failuresBefore: number): number {
  const ms = timings.firstRetryMs * 2 ** Math.min(failuresBefore, attemptsToMaxWait);
  return Math.min(ms, timings.maxRetryMs);
}
