import {
  ConflictError,
  CredentialsRefusedError,
  ForbiddenError,
  ForeignLinkError,
  MethodNotAllowedError,
  NotFoundError,
  OperationUnavailableError,
  RateLimitedError,
  RequestRejectedError,
  ServerError,
  ServiceError,
  ServiceTimeoutError,
  ServiceUnreachableError,
  UnexpectedResponseError,
} from './dataprotection/http/errors.ts';
import { ExplainedError } from './explained-error.ts';
import { isRateLimited, slackErrorCode } from './slack/api/error-codes.ts';
import { TokenExpiredError } from './slack/api/slack-clients.ts';
import { quoteInline } from './slack/ui/mrkdwn.ts';
import { plural } from './slack/ui/words.ts';

const mayHaveChanged = 'The change may have been made. Check before you try again.';

/** The text of an error for a person, as mrkdwn: what failed, whether anything changed, what to do. */
export function describeFailure(error: unknown): string {
  return (
    knownFailure(error) ??
    'Something went wrong in Belay. Check whether the change was made before you try again. Your Belay administrator can look up the reference.'
  );
}

function knownFailure(error: unknown): string | undefined {
  if (error instanceof ServiceError) return describeServiceFailure(error);
  if (error instanceof ExplainedError) {
    return error.mayHaveActed ? `${error.explanation} ${mayHaveChanged}` : error.explanation;
  }
  if (error instanceof TokenExpiredError) {
    return "Belay couldn't refresh its Slack token. Nothing was changed. Try again in a few minutes.";
  }
  if (isRateLimited(error)) {
    return 'Slack is rate-limiting Belay. Check whether the change was made, then try again in a minute.';
  }
  const code = slackErrorCode(error);
  if (code === 'expired_trigger_id' || code === 'exchanged_trigger_id') {
    return "The form couldn't be opened within Slack's time limit. Nothing was changed. Try again.";
  }
  if (code === 'missing_scope') {
    return 'Belay lacks a Slack permission in this workspace. Ask your Belay administrator to install the app again from `manifest.yml`.';
  }
  return undefined;
}

/** The same without what it means for a change: for callers that find that out by themselves. */
export function describeCause(error: unknown): string {
  if (error instanceof ServiceError) return describeServiceError(error);
  if (error instanceof ExplainedError) return error.explanation;
  return (
    knownFailure(error) ??
    "Something went wrong in Belay. Your Belay administrator can find the cause in Belay's log."
  );
}

function describeServiceError(error: ServiceError): string {
  if (error instanceof CredentialsRefusedError) {
    return "The service didn't accept this workspace's API token: the token is wrong, expired, or from another portal. An admin can enter a new one with `/belay connection`.";
  }
  if (error instanceof ForbiddenError) {
    return "The service doesn't allow this with the workspace's API token and organizational unit. An admin can change both with `/belay connection`.";
  }
  if (error instanceof NotFoundError) {
    return 'Not found. It may have been deleted, or it belongs to another organizational unit.';
  }
  if (error instanceof MethodNotAllowedError || error instanceof OperationUnavailableError) {
    return "The service doesn't support this operation.";
  }
  if (error instanceof ConflictError) {
    return `The service reported a conflict with another change.${quoted(error)} Check the current state before you try again.`;
  }
  if (error instanceof RateLimitedError) {
    const wait = error.retryAfterSeconds;
    return `The service is rate-limiting Belay. Try again in ${wait ? plural(Math.ceil(wait), 'second') : 'a minute'}.`;
  }
  if (error instanceof RequestRejectedError) {
    return `The service rejected the request.${quoted(error)}`;
  }
  if (error instanceof ServiceTimeoutError) {
    return 'The service took too long to respond.';
  }
  if (error instanceof ServiceUnreachableError) {
    return "Belay can't reach the service.";
  }
  if (error instanceof ServerError) {
    return 'The service returned a server error.';
  }
  if (error instanceof UnexpectedResponseError) {
    return "The service sent a response that Belay doesn't understand. A proxy or a maintenance page may have answered in its place.";
  }
  if (error instanceof ForeignLinkError) {
    return "The service linked to another server. Belay doesn't send the API token there.";
  }
  return 'The request to the service failed.';
}

function describeServiceFailure(error: ServiceError): string {
  const cause = describeServiceError(error);
  if (error.mayHaveActed) {
    return `${cause} ${mayHaveChanged}`;
  }
  const isTemporary = temporaryErrors.some((kind) => error instanceof kind);
  return `${cause} Nothing was changed.${isTemporary ? ' Try again in a minute.' : ''}`;
}

/** Worth another try although nothing was fixed meanwhile. */
const temporaryErrors = [ServiceTimeoutError, ServiceUnreachableError, ServerError];

function quoted({ serviceMessage }: ServiceError): string {
  return serviceMessage ? ` The service said: ${quoteInline(serviceMessage, 300)}.` : '';
}
