import { isUnclear, slackErrorCode } from './web-api-failure.ts';

const unreachable = new Set([
  'channel_not_found',
  'not_in_channel',
  'user_not_in_channel',
  'is_archived',
  'is_inactive',
]);

/** Slack names who may post there in many codes: `restricted_action_read_only_channel` is one. */
const restricted = 'restricted_action';

const repliesOnly = new Set([
  'restricted_action_thread_locked',
  'restricted_action_non_threadable_channel',
]);

/** The conversation cannot be written to, whoever tries again. */
export function isUnreachableChannel(error: unknown): boolean {
  const code = slackErrorCode(error);
  if (code === undefined || repliesOnly.has(code)) return false;
  return unreachable.has(code) || code.startsWith(restricted);
}

/** A reply cannot go into this thread; the conversation takes other messages. */
export function isRefusedReply(error: unknown): boolean {
  return isOneOf(repliesOnly, error);
}

const readerGone = new Set(['user_disabled', 'user_not_found']);

/** The person whose direct messages these are will not come back by waiting. */
export function isReaderGone(error: unknown): boolean {
  return isOneOf(readerGone, error);
}

const messageGone = 'message_not_found';

/** The message or the person to read it is gone, or nobody can write there: trying again is vain. */
export function isOutOfReach(error: unknown): boolean {
  const isMessageGone = slackErrorCode(error) === messageGone;
  return isMessageGone || isReaderGone(error) || isUnreachableChannel(error);
}

const beyondEditing = new Set([messageGone, 'cant_update_message', 'edit_window_closed']);

/** Nobody can edit the message where it is: someone deleted it, or it is not Belay's to edit. */
export function isBeyondEditing(error: unknown): boolean {
  return isOneOf(beyondEditing, error);
}

const unfit = new Set([
  'invalid_blocks',
  'invalid_blocks_format',
  'msg_too_long',
  'msg_blocks_too_long',
  'no_text',
  'invalid_arguments',
  'thread_not_found',
  'cannot_reply_to_message',
]);

/** This message can never be sent; the next one may. */
export function isHopeless(error: unknown): boolean {
  return isOneOf(unfit, error) || isBeyondEditing(error) || isRefusedReply(error);
}

/** A limit, a migration, or what an administrator or whoever runs Belay may put right. */
const untilPutRight = new Set([
  'ratelimited',
  'rate_limited',
  'team_added_to_org',
  'invalid_auth',
  'not_authed',
  'token_revoked',
  'token_expired',
  'account_inactive',
  'missing_scope',
  'not_allowed_token_type',
  'access_denied',
  'accesslimited',
  'ekm_access_denied',
  'enterprise_is_restricted',
  'external_channel_migrating',
  'message_limit_exceeded',
  'org_login_required',
  'team_access_not_granted',
  'two_factor_setup_required',
]);

/** About Slack, the workspace or Belay's token, not about the message: it goes out once that is over. */
export function isPassing(error: unknown): boolean {
  return isUnclear(error) || isOneOf(untilPutRight, error);
}

function isOneOf(codes: Set<string>, error: unknown): boolean {
  const code = slackErrorCode(error);
  return code !== undefined && codes.has(code);
}
