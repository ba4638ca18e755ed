import {
  SlackError,
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';

/** Slack's own code for a refused Web API call (`channel_not_found`), if `error` is one. */
export function slackErrorCode(error: unknown): string | undefined {
  return error instanceof WebAPIPlatformError ? error.data.error : undefined;
}

/** Slack asked to slow down (HTTP 429). */
export function isRateLimited(error: unknown): boolean {
  return error instanceof WebAPIRateLimitedError;
}

/** How long Slack asked to wait before the same method is called again, if that is what it said. */
export function retryAfterMs(error: unknown): number | undefined {
  return error instanceof WebAPIRateLimitedError ? error.retryAfter * 1000 : undefined;
}

/** The person has closed the modal that was to be changed. */
export function isViewGone(error: unknown): boolean {
  return slackErrorCode(error) === 'not_found';
}

/** With these Slack says that something went wrong, not that nothing happened. */
const unclear = new Set([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
]);

/** Slack has refused to post: no message is there. Without an answer nobody knows. */
export function isCertainlyNotPosted(error: unknown): boolean {
  const code = slackErrorCode(error);
  return (code !== undefined && !unclear.has(code)) || isRateLimited(error);
}

/** With these a connection ended before there was one. */
const unconnected = new Set([
  'ECONNREFUSED',
  'EAI_AGAIN',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** With these the server, or the gateway before it, may have failed after it had acted. */
const unclearStatuses = new Set([500, 502, 504]);

/** The call may have taken effect: no answer has come back, or one that does not tell. */
export function isUnclear(error: unknown): boolean {
  if (error instanceof WebAPIRequestError) return !isUnconnected(error.original);
  if (error instanceof WebAPIHTTPError) return unclearStatuses.has(error.statusCode);
  // An answer that broke off is passed on as it came.
  if (!(error instanceof SlackError)) return true;
  const code = slackErrorCode(error);
  return code !== undefined && unclear.has(code);
}

function isUnconnected(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isIt = 'code' in error && typeof error.code === 'string' && unconnected.has(error.code);
  return isIt || isUnconnected(error.cause);
}
