import type { IncomingHttpHeaders } from 'node:http';
import type { Dialect } from '../../src/dataprotection/dialects/dialect.ts';
import type { Answer } from './http/response.ts';
import type { RouteMatch } from './http/route.ts';
import type { Policy } from './resources.ts';

/** The version that a request gets, and the media type that names it. */
export type Negotiation =
  | { ok: true; version: number; contentType: string }
  | { ok: false; refusal: Answer };

/** An endpoint that was found can tell which of its versions an Accept header asks for. */
export type DialectMatch =
  | (Extract<RouteMatch, { kind: 'found' }> & {
      negotiate: (accept: string | undefined) => Negotiation;
    })
  | Exclude<RouteMatch, { kind: 'found' }>;

/** Everything in which the two dialects differ, apart from what their handlers render. */
export type ServedDialect = {
  name: Dialect;
  /** In lower case, as Node has header names. */
  unitHeader: string;
  find: (method: string, path: string) => DialectMatch;
  refuseCredentials: (headers: IncomingHttpHeaders) => Answer;
  seedPolicy: (policy: Policy) => Policy;
};
