import { retryAfterMs, slackErrorCode } from '../../slack/web-api-failure.ts';
import { pace } from './pace.ts';

export type Verdict =
  /** This message can never be sent; the next one may. */
  | { kind: 'refused'; code: string }
  /** Slack asked to wait. */
  | { kind: 'wait'; ms: number }
  /** Nobody knows why, or whether it arrived: the same again later. */
  | { kind: 'retry'; ms: number };

const hopeless = new Set([
  'invalid_blocks',
  'invalid_blocks_format',
  'msg_too_long',
  'msg_blocks_too_long',
  'no_text',
  'invalid_arguments',
  'message_not_found',
  'thread_not_found',
  'cannot_reply_to_message',
  'cant_update_message',
  'edit_window_closed',
]);

/** What to do after Slack did not take a message, having failed `attempts` times before. */
export function judgeFailure(error: unknown, attempts: number): Verdict {
  const askedMs = retryAfterMs(error);
  if (askedMs !== undefined) return { kind: 'wait', ms: Math.max(askedMs, pace.firstRetryMs) };
  const code = slackErrorCode(error);
  if (code !== undefined && (hopeless.has(code) || attempts + 1 >= pace.mostRefusals)) {
    return { kind: 'refused', code };
  }
  // 2 ** 20 is a fortnight already: the exponent needs no more room.
  const ms = pace.firstRetryMs * 2 ** Math.min(attempts, 20);
  return { kind: 'retry', ms: Math.min(ms, pace.longestRetryMs) };
}

/** The person whose direct messages these are will not come back by waiting. */
export function isReaderGone(error: unknown): boolean {
  const code = slackErrorCode(error);
  return code === 'user_disabled' || code === 'user_not_found';
}
