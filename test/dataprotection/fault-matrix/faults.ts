import type { Fault } from '../../../playground/service/faults/fault.ts';

/**
 * `closed`: the service is not running. `outcomes` are the allowed ones, `ok` for unaffected calls.
 */
export type FaultCase = { fault: Fault | 'closed'; outcomes: Outcome[] };

/** How a call can end: the name of the error's class, or `ok`. */
export type Outcome = keyof typeof marks;

/** The text of a table cell. */
export const marks = {
  ok: 'ok',
  CredentialsRefusedError: '401',
  ForbiddenError: '403',
  NotFoundError: '404',
  ConflictError: '409',
  RequestRejectedError: '4xx',
  RateLimitedError: '429',
  ServerError: '5xx',
  ServiceUnreachableError: 'lost',
  ServiceTimeoutError: 'time',
  UnexpectedResponseError: 'parse',
  ForeignLinkError: 'link',
} as const;

const status = (code: number, body?: 'html' | 'empty' | 'cut-off' | 'string-code'): Fault => ({
  kind: 'status',
  status: code,
  ...(body && { body }),
});

export const faultCases: Record<string, FaultCase> = {
  'no service': { fault: 'closed', outcomes: ['ServiceUnreachableError'] },
  'status 400': { fault: status(400, 'string-code'), outcomes: ['RequestRejectedError'] },
  'status 401': { fault: status(401), outcomes: ['CredentialsRefusedError'] },
  'status 403': { fault: status(403), outcomes: ['ForbiddenError'] },
  'status 404': { fault: status(404, 'empty'), outcomes: ['NotFoundError'] },
  'status 409': { fault: status(409), outcomes: ['ConflictError'] },
  'status 429': { fault: status(429, 'html'), outcomes: ['RateLimitedError'] },
  'status 500': { fault: status(500, 'cut-off'), outcomes: ['ServerError'] },
  'status 503': { fault: status(503, 'html'), outcomes: ['ServerError'] },
  'Retry-After 1': {
    fault: { kind: 'rate-limit', perSecond: 0, retryAfter: 'seconds' },
    outcomes: ['RateLimitedError'],
  },
  'Retry-After date': {
    fault: { kind: 'rate-limit', perSecond: 0, retryAfter: 'date' },
    outcomes: ['RateLimitedError'],
  },
  redirect: {
    fault: { kind: 'redirect', location: 'http://127.0.0.1:9/' },
    outcomes: ['UnexpectedResponseError'],
  },
  HTML: { fault: { kind: 'html' }, outcomes: ['UnexpectedResponseError'] },
  'HTML, acted': {
    fault: { kind: 'html', afterActing: true },
    outcomes: ['UnexpectedResponseError'],
  },
  'empty body': { fault: { kind: 'empty' }, outcomes: ['UnexpectedResponseError', 'ok'] },
  garbage: { fault: { kind: 'garbage' }, outcomes: ['UnexpectedResponseError'] },
  truncated: { fault: { kind: 'cut-off' }, outcomes: ['UnexpectedResponseError', 'ok'] },
  'wrong type': { fault: { kind: 'wrong-type' }, outcomes: ['ok'] },
  slow: { fault: { kind: 'slow', delayMs: 5 }, outcomes: ['ok'] },
  'no response': { fault: { kind: 'hang' }, outcomes: ['ServiceTimeoutError'] },
  'no response, acted': {
    fault: { kind: 'hang', afterActing: true },
    outcomes: ['ServiceTimeoutError'],
  },
  'slow body': {
    fault: { kind: 'drip', bytesPerSecond: 20 },
    outcomes: ['ServiceTimeoutError', 'ok'],
  },
  reset: { fault: { kind: 'reset' }, outcomes: ['ServiceUnreachableError'] },
  'reset, acted': {
    fault: { kind: 'reset', afterActing: true },
    outcomes: ['ServiceUnreachableError'],
  },
  'reset in the body': {
    fault: { kind: 'reset-mid-body' },
    outcomes: ['ServiceUnreachableError', 'ok'],
  },
  'length too large': {
    fault: { kind: 'wrong-length', by: 10 },
    outcomes: ['ServiceUnreachableError', 'ServiceTimeoutError', 'ok'],
  },
  'length too small': {
    fault: { kind: 'wrong-length', by: -10 },
    outcomes: ['ServiceUnreachableError', 'UnexpectedResponseError', 'ok'],
  },
  'foreign links': {
    fault: { kind: 'foreign-links', origin: 'http://127.0.0.1:9' },
    outcomes: ['ForeignLinkError', 'ok'],
  },
  'page repeats': {
    fault: { kind: 'repeating-page' },
    outcomes: ['UnexpectedResponseError', 'ok'],
  },
  'endless list': {
    fault: { kind: 'endless-list' },
    outcomes: ['UnexpectedResponseError', 'ServiceTimeoutError', 'ok'],
  },
  'list changes': { fault: { kind: 'changing-list', change: 'insert' }, outcomes: ['ok'] },
};
