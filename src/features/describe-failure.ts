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
} from '../dataprotection/http/errors.ts';
import { isRateLimited, slackErrorCode } from '../slack/api/error-codes.ts';
import { quoteInline } from '../slack/ui/mrkdwn.ts';
import { NotLoggedError } from './alerts/index.ts';
import { ChangeNotConfirmedError } from './users/index.ts';
import { RegionMissingError, TokenUnreadableError } from './workspaces/index.ts';

/** The text of an error for a person, as mrkdwn: what failed, whether anything changed, what to do. */
export function describeFailure(error: unknown): string {
  return (
    knownFailure(error) ??
    'Something went wrong in Belay itself. Please look at what happened so far before you try again; whoever runs Belay can find out more with the reference.'
  );
}

function knownFailure(error: unknown): string | undefined {
  if (error instanceof ServiceError) return describeServiceFailure(error);
  if (error instanceof RegionMissingError) {
    return 'The region of this workspace is no longer in the configuration of Belay. Nothing was changed. Ask whoever runs Belay to list it again, or an admin to run `/belay setup`.';
  }
  if (error instanceof TokenUnreadableError) {
    return 'The stored API token cannot be opened with the keys that Belay has now. Nothing was changed. An admin can enter it again with `/belay setup`.';
  }
  if (error instanceof NotLoggedError) {
    return 'Belay could not write this to its decision log, and does not do unlogged what cannot be undone. Nothing was changed. Please try again in a minute.';
  }
  if (error instanceof ChangeNotConfirmedError) {
    return 'The data-protection service answered, but does not show the change. It is not known whether the change was made: look before you ask again.';
  }
  if (isRateLimited(error)) {
    return 'Slack is asking Belay to slow down. Please look at what happened so far, then try again in a minute.';
  }
  const code = slackErrorCode(error);
  if (code === 'expired_trigger_id' || code === 'exchanged_trigger_id') {
    return 'This took longer than Slack allows, so the form could not open. Nothing was changed. Please try again.';
  }
  if (code === 'missing_scope') {
    return 'Belay lacks a permission in this workspace. Ask whoever runs it to install it again from its manifest.';
  }
  return undefined;
}

/** The same without what it means for a change: for callers that find that out by themselves. */
export function describeCause(error: unknown): string {
  if (error instanceof ServiceError) return describeServiceError(error);
  if (error instanceof ChangeNotConfirmedError) {
    return 'The data-protection service answered, but does not show the change.';
  }
  return (
    knownFailure(error) ??
    'Something went wrong in Belay itself. Whoever runs Belay finds it in its log.'
  );
}

function describeServiceError(error: ServiceError): string {
  if (error instanceof CredentialsRefusedError) {
    return 'The data-protection service did not accept the API token of this workspace: it is wrong, expired, or from another portal. An admin can enter a new one with `/belay setup`.';
  }
  if (error instanceof ForbiddenError) {
    return "The data-protection service does not allow this with the workspace's API token in its organizational unit. An admin can change both with `/belay setup`.";
  }
  if (error instanceof NotFoundError) {
    return 'The data-protection service knows no such thing. It may have been deleted, or it belongs to another organizational unit.';
  }
  if (error instanceof MethodNotAllowedError || error instanceof OperationUnavailableError) {
    return 'The data-protection service does not offer this.';
  }
  if (error instanceof ConflictError) {
    return `The data-protection service says that this clashes with another change.${quoted(error)} Please look at it again before you retry.`;
  }
  if (error instanceof RateLimitedError) {
    const wait = error.retryAfterSeconds;
    return `The data-protection service is asking for fewer requests. Please try again in ${wait ? `${Math.ceil(wait)} seconds` : 'a minute'}.`;
  }
  if (error instanceof RequestRejectedError) {
    return `The data-protection service did not accept the request.${quoted(error)}`;
  }
  if (error instanceof ServiceTimeoutError) {
    return 'The data-protection service took too long to answer.';
  }
  if (error instanceof ServiceUnreachableError) {
    return 'The data-protection service cannot be reached.';
  }
  if (error instanceof ServerError) {
    return 'The data-protection service has a problem of its own.';
  }
  if (error instanceof UnexpectedResponseError) {
    return 'The data-protection service answered in a way that Belay does not understand. A proxy or a maintenance page may be in between.';
  }
  if (error instanceof ForeignLinkError) {
    return 'The data-protection service pointed to another server. Belay does not follow it there with your token.';
  }
  return 'The data-protection service could not be asked.';
}

function describeServiceFailure(error: ServiceError): string {
  const cause = describeServiceError(error);
  if (error.mayHaveActed) {
    return `${cause} It is not known whether the change was made: look before you ask again.`;
  }
  const isTemporary = temporaryErrors.some((kind) => error instanceof kind);
  return `${cause} Nothing was changed.${isTemporary ? ' Please try again in a minute.' : ''}`;
}

/** Worth another try although nothing was fixed meanwhile. */
const temporaryErrors = [ServiceTimeoutError, ServiceUnreachableError, ServerError];

function quoted({ serviceMessage }: ServiceError): string {
  return serviceMessage ? ` It said: ${quoteInline(serviceMessage, 300)}.` : '';
}
