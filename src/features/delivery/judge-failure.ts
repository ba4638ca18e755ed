import { isRefusedReply, retryAfterMs, slackErrorCode } from '../../slack/web-api-failure.ts';
import { pace } from './pace.ts';

export type Verdict =
  /** This message can never be sent; the next one may. */
  | { kind: 'refused'; code: string }
  /** Slack asked to wait. */
  | { kind: 'wait'; ms: number }
  /** Nobody knows why, or whether it arrived: the same again later. */
  | { kind: 'retry'; ms: number; attempts: number };

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

/** About Slack or about Belay's token, not about the message: it goes out once that is over. */
const passing = new Set([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'ratelimited',
  'rate_limited',
  'team_added_to_org',
  'invalid_auth',
  'not_authed',
  'token_revoked',
  'token_expired',
  'account_inactive',
  'missing_scope',
]);

/** The wait has its full length by then. */
const attemptsToLongestWait = Math.ceil(Math.log2(pace.longestRetryMs / pace.firstRetryMs));

/** What to do after Slack did not take a message, having failed `attempts` times before. */
export function judgeFailure(error: unknown, attempts: number): Verdict {
  const askedMs = retryAfterMs(error);
  if (askedMs !== undefined) return { kind: 'wait', ms: Math.max(askedMs, pace.firstRetryMs) };
  const code = slackErrorCode(error);
  const isRefusal = code !== undefined && !passing.has(code);
  const isHopeless = isRefusal && (hopeless.has(code) || isRefusedReply(error));
  if (isHopeless || (isRefusal && attempts + 1 >= pace.mostRefusals)) {
    return { kind: 'refused', code };
  }
  const ms = pace.firstRetryMs * 2 ** Math.min(attempts, attemptsToLongestWait);
  return {
    kind: 'retry',
    ms: Math.min(ms, pace.longestRetryMs),
    // What passes counts only until the waits are as long as they get: nothing is given up for it.
    attempts: isRefusal || attempts < attemptsToLongestWait ? attempts + 1 : attempts,
  };
}

/** The person whose direct messages these are will not come back by waiting. */
export function isReaderGone(error: unknown): boolean {
  const code = slackErrorCode(error);
  return code === 'user_disabled' || code === 'user_not_found';
}

const lost = new Set(['message_not_found', 'cant_update_message', 'edit_window_closed']);

/** Nobody can edit the message where it is: someone deleted it, or it is not Belay's to edit. */
export function isBeyondEditing(error: unknown): boolean {
  const code = slackErrorCode(error);
  return code !== undefined && lost.has(code);
}
