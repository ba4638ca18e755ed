/**
 * What every service error carries (§7 Errors). Never the token or a query string.
 * `serviceMessage` is the service's own text and may name people: show it, don't log it.
 */
export type ServiceErrorFacts = {
  /** `METHOD /path`, without query. */
  request: string;
  /** Whether a change may have taken effect although it wasn't confirmed. */
  mayHaveActed: boolean;
  status?: number | undefined;
  serviceMessage?: string | undefined;
};

/** A failed call to the service. Only its subclasses are thrown. */
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

/** 403: the token's role or the organizational unit doesn't allow this. */
export class ForbiddenError extends ServiceError {}

/** 404; or an id that can't be part of a path, and then nothing was sent and `status` is unset. */
export class NotFoundError extends ServiceError {}

/** 405: the service doesn't offer this method. */
export class MethodNotAllowedError extends ServiceError {}

/** The dialect or this service has no such operation. Nothing was sent. */
export class OperationUnavailableError extends ServiceError {}

/** Any other 4xx: the service didn't accept what was sent. */
export class RequestRejectedError extends ServiceError {}

/** 409, 412 or 423: a conflict with the resource's state, or locked by another change. */
export class ConflictError extends ServiceError {}

/** 429: rate-limited. `retryAfterSeconds` is set if the service said it. */
export class RateLimitedError extends ServiceError {
  readonly retryAfterSeconds: number | undefined;

  constructor(what: string, facts: ServiceErrorFacts & { retryAfterSeconds?: number | undefined }) {
    super(what, facts);
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}

/** 5xx: server error. */
export class ServerError extends ServiceError {}

/** No connection, or it was lost: DNS, refused, TLS, reset. `code` is Node's error code. */
export class ServiceUnreachableError extends ServiceError {
  readonly code: string | undefined;

  constructor(what: string, facts: ServiceErrorFacts & { code?: string | undefined }) {
    super(what, facts);
    this.code = facts.code;
  }
}

/** The connection, the response or its end took too long, or the caller's own timeout passed. */
export class ServiceTimeoutError extends ServiceError {}

/** Not a response of the contract: HTML, broken JSON, another shape, a redirect, too large. */
export class UnexpectedResponseError extends ServiceError {}

/** A link in a response leads away from the connection's base URL. It wasn't followed. */
export class ForeignLinkError extends ServiceError {}
