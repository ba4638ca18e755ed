/**
 * What every service error tells. None of it ever holds the token or a query string;
 * `serviceMessage` is the service's own wording and may name people: show it, do not log it.
 */
export type ServiceErrorFacts = {
  /** `METHOD /path`, without query. */
  request: string;
  /** True when a change may have taken effect although it was not confirmed. */
  mayHaveActed: boolean;
  status?: number | undefined;
  serviceMessage?: string | undefined;
};

/** Any failure of a call to the service. Thrown only as one of the classes below. */
export class ServiceError extends Error {
  readonly request: string;
  readonly mayHaveActed: boolean;
  readonly status: number | undefined;
  readonly serviceMessage: string | undefined;

  constructor(what: string, facts: ServiceErrorFacts) {
    super(`${facts.request}: ${what}`);
    this.name = new.target.name;
    this.request = facts.request;
    this.mayHaveActed = facts.mayHaveActed;
    this.status = facts.status;
    this.serviceMessage = facts.serviceMessage;
  }
}

/** 401: the token is wrong, expired, or from another portal. */
export class CredentialsRefusedError extends ServiceError {}

/** 403: the token's role or the organizational unit does not allow this. */
export class ForbiddenError extends ServiceError {}

/** 404, or an id that cannot be put in a path; then nothing was sent and there is no status. */
export class NotFoundError extends ServiceError {}

/** 405: the service does not offer this operation. */
export class MethodNotAllowedError extends ServiceError {}

/** This service, or the dialect of the interface that it speaks, has no such operation. Nothing was sent. */
export class OperationUnavailableError extends ServiceError {}

/** Any other 4xx: the service did not accept what was sent. */
export class RequestRejectedError extends ServiceError {}

/** 409, 412 or 423: it clashes with what the service holds, or that is locked by another change. */
export class ConflictError extends ServiceError {}

/** 429. `retryAfterSeconds` is there when the service said it. */
export class RateLimitedError extends ServiceError {
  readonly retryAfterSeconds: number | undefined;

  constructor(what: string, facts: ServiceErrorFacts & { retryAfterSeconds?: number | undefined }) {
    super(what, facts);
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}

/** 5xx. */
export class ServerError extends ServiceError {}

/** No connection, or it was lost: DNS, refused, TLS, reset. `code` names which, as Node does. */
export class ServiceUnreachableError extends ServiceError {
  readonly code: string | undefined;

  constructor(what: string, facts: ServiceErrorFacts & { code?: string | undefined }) {
    super(what, facts);
    this.code = facts.code;
  }
}

/** No connection, no answer or no end of the answer in time, or the caller's own time-out. */
export class ServiceTimeoutError extends ServiceError {}

/** An answer that is not the contract's: HTML, broken JSON, another shape, a redirect, too large. */
export class UnexpectedResponseError extends ServiceError {}

/** A link of the service leads away from the connection's base URL. It was not followed. */
export class ForeignLinkError extends ServiceError {}
