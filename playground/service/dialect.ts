import type { IncomingHttpHeaders } from 'node:http';
import type { Dialect } from '../../src/dataprotection/dialects/dialect.ts';
import type { ServiceResponse } from './http/response.ts';
import type { RouteMatch } from './http/route.ts';
import type { Policy } from './resources.ts';

/** The negotiated version of a resource and its media type. */
export type Negotiation =
  | { ok: true; version: number; contentType: string }
  | { ok: false; rejection: ServiceResponse };

/** A matched endpoint, with the version negotiation for an Accept header. */
type DialectMatch =
  | (Extract<RouteMatch, { kind: 'found' }> & {
      negotiate: (accept: string | undefined) => Negotiation;
    })
  | Exclude<RouteMatch, { kind: 'found' }>;

/** Everything in which the two dialects differ, apart from what their handlers render. */
export type ServedDialect = {
  name: Dialect;
  /** In lower case, like header names in Node. */
  unitHeader: string;
  find: (method: string, path: string) => DialectMatch;
  rejectCredentials: (headers: IncomingHttpHeaders) => ServiceResponse;
  seedPolicy: (policy: Policy) => Policy;
};
