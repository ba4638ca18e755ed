import {
  SlackError,
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';

/*
 * What an error of a Web API call means for what Belay does next. The codes are listed with each
 * method, for example https://docs.slack.dev/reference/methods/chat.postMessage#errors
 */

/**
 * Slack's code for a refused call (`channel_not_found`), if `error` is such a refusal. An answer that
 * isn't JSON, such as a proxy's error page, has no code, although the client reports its text as one.
 */
export function slackErrorCode(error: unknown): string | undefined {
  if (!(error instanceof WebAPIPlatformError)) return undefined;
  const { error: code } = error.data;
  return typeof code === 'string' && /^\w+$/.test(code) ? code : undefined;
}

/** HTTP 429. https://docs.slack.dev/apis/web-api/rate-limits */
export function isRateLimited(error: unknown): boolean {
  return error instanceof WebAPIRateLimitedError;
}

/** How long Slack asks to wait before the same method is called again; undefined if it does not. */
export function retryAfterMs(error: unknown): number | undefined {
  return error instanceof WebAPIRateLimitedError ? error.retryAfter * 1000 : undefined;
}

/** `views.update`: the person has closed the modal. */
export function isViewClosed(error: unknown): boolean {
  return slackErrorCode(error) === 'not_found';
}

/** With these codes the call may have taken effect anyway. */
const outcomeUnknown = new Set([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
]);

/** The request never reached Slack. */
const connectionFailed = new Set([
  'ECONNREFUSED',
  'EAI_AGAIN',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** The server, or a gateway in front of it, may have failed after the call had taken effect. */
const outcomeUnknownStatuses = new Set([500, 502, 504]);

/** The call may have taken effect: the answer is missing, incomplete or ambiguous. */
export function isOutcomeUnknown(error: unknown): boolean {
  if (error instanceof WebAPIRequestError) return !isConnectionFailure(error.original);
  if (error instanceof WebAPIHTTPError) return outcomeUnknownStatuses.has(error.statusCode);
  // The client passes on the error of an answer that broke off, without wrapping it.
  if (!(error instanceof SlackError)) return true;
  if (error instanceof WebAPIPlatformError && slackErrorCode(error) === undefined) return true;
  return hasCode(error, outcomeUnknown);
}

/** Slack refused to post, so no message is there. */
export function isDefinitelyNotPosted(error: unknown): boolean {
  const isRefused = slackErrorCode(error) !== undefined && !hasCode(error, outcomeUnknown);
  return isRefused || isRateLimited(error);
}

function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return connectionFailed.has(code) || isConnectionFailure(error.cause);
}

const unreachableChannel = new Set([
  'channel_not_found',
  'not_in_channel',
  'user_not_in_channel',
  'is_archived',
  'is_inactive',
]);

/** Posting is limited to some people. Slack adds details: `restricted_action_read_only_channel`. */
const restricted = 'restricted_action';

/** Of those, the ones about threads leave the rest of the channel open. */
const replyRefused = new Set([
  'restricted_action_thread_locked',
  'restricted_action_non_threadable_channel',
]);

/** Nobody can post in this conversation as Belay; a retry will not help. */
export function isUnreachableChannel(error: unknown): boolean {
  if (hasCode(error, replyRefused)) return false;
  const isRestricted = slackErrorCode(error)?.startsWith(restricted) === true;
  return isRestricted || hasCode(error, unreachableChannel);
}

const recipientGone = new Set(['user_disabled', 'user_not_found', 'user_not_visible']);

/** The person is deactivated, gone or not visible to Belay, so no direct message reaches them. */
export function isRecipientGone(error: unknown): boolean {
  return hasCode(error, recipientGone);
}

const messageGone = 'message_not_found';

/** The message, its channel or its recipient can't be reached; a retry will not help. */
export function isUnreachable(error: unknown): boolean {
  const isMessageGone = slackErrorCode(error) === messageGone;
  return isMessageGone || isRecipientGone(error) || isUnreachableChannel(error);
}

const uneditable = new Set([messageGone, 'cant_update_message', 'edit_window_closed']);

/** The message was deleted, or Belay can no longer edit it. */
export function isUneditable(error: unknown): boolean {
  return hasCode(error, uneditable);
}

const unsendable = new Set([
  'invalid_blocks',
  'invalid_blocks_format',
  'msg_too_long',
  'msg_blocks_too_long',
  'no_text',
  'invalid_arguments',
  'thread_not_found',
  'cannot_reply_to_message',
]);

/** Slack will never accept this message; other messages to the channel may go through. */
export function isUnsendable(error: unknown): boolean {
  return hasCode(error, unsendable) || isUneditable(error) || hasCode(error, replyRefused);
}

/** Limits, migrations, and settings that an administrator or an operator can correct. */
const transient = new Set([
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

/** The cause is Slack, the workspace or the token, not the message: a later retry can succeed. */
export function isTransient(error: unknown): boolean {
  return isOutcomeUnknown(error) || hasCode(error, transient);
}

function hasCode(error: unknown, codes: Set<string>): boolean {
  const code = slackErrorCode(error);
  return code !== undefined && codes.has(code);
}
