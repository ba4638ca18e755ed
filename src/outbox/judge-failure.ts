import { isHopeless, isPassing } from '../slack/api/message-failure.ts';
import { retryAfterMs, slackErrorCode } from '../slack/api/web-api-failure.ts';
import { timings } from './timings.ts';

export type Verdict =
  /** This message can never be sent; the next one may. */
  | { kind: 'refused'; code: string }
  /** Slack asked to wait. */
  | { kind: 'wait'; ms: number }
  /** Nobody knows why, or whether it arrived: the same again later. */
  | { kind: 'retry'; ms: number; attempts: number };

/** The wait has its full length by then. */
const attemptsToMaxWait = Math.ceil(Math.log2(timings.maxRetryMs / timings.firstRetryMs));

/** What to do after Slack did not take a message, having failed `attempts` times before. */
export function judgeFailure(error: unknown, attempts: number): Verdict {
  const askedMs = retryAfterMs(error);
  if (askedMs !== undefined) return { kind: 'wait', ms: Math.max(askedMs, timings.firstRetryMs) };
  const code = slackErrorCode(error);
  const isRefusal = code !== undefined && !isPassing(error);
  if (isRefusal && (isHopeless(error) || attempts + 1 >= timings.maxRefusals)) {
    return { kind: 'refused', code };
  }
  return {
    kind: 'retry',
    ms: retryMs(attempts),
    // What passes counts only until the waits are as long as they get: nothing is given up for it.
    attempts: isRefusal || attempts < attemptsToMaxWait ? attempts + 1 : attempts,
  };
}

/** How long to wait after a failure that followed so many others. */
export function retryMs(failuresBefore: number): number {
  const ms = timings.firstRetryMs * 2 ** Math.min(failuresBefore, attemptsToMaxWait);
  return Math.min(ms, timings.maxRetryMs);
}
