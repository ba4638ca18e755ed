import { subMilliseconds } from '../../dates.ts';
import { refreshTimeoutMs } from '../../slack/api/refresh-token.ts';

const second = 1000;
const minute = 60 * second;

/** Of refreshing tokens, in milliseconds. Slack's bot tokens live for 12 hours. */
export const timings = {
  /** A token is refreshed so long before it expires, so that an outage has time to end. */
  aheadMs: 180 * minute,
  /** A call is not begun with a token that expires sooner. */
  usableMs: 30 * second,
  /** Longer than one exchange: the next process retries only what no longer runs. */
  leaseMs: 2 * refreshTimeoutMs,
  /** How long to keep trying to store a new pair of tokens while the database can't be reached. */
  storeMs: 10 * minute,
  /** Until the retry after the first attempt without an answer; each further wait is longer. */
  unknownWaitMs: 5 * second,
  /** Until the next attempt after one that did not reach Slack, or that Slack put off. */
  failedWaitMs: 30 * second,
  maxWaitMs: 15 * minute,
  /** How long a call waits for a refresh by another process, and how often it looks. */
  waitMs: 10 * second,
  pollMs: 200,
  /** Per process. An exchange holds no database connection. */
  maxConcurrent: 4,
  maxPerLook: 200,
  maxFailures: 3,
} as const;

/** When a token that expires then is due to be refreshed. */
export function refreshDueAt(expiresAt: Date): Date {
  return subMilliseconds(expiresAt, timings.aheadMs);
}
