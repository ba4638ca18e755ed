import type { IncomingHttpHeaders } from 'node:http';
import type { Answer } from './answer.ts';
import type { Policy } from './resources.ts';
import type { RouteMatch } from './route.ts';

/** The contract as documented, or as the public service speaks it today. */
export type Form = 'documented' | 'live';

export function isForm(name: string): name is Form {
  return name === 'documented' || name === 'live';
}

/** The version that a request gets, and the media type that names it. */
export type Negotiation =
  | { ok: true; version: number; contentType: string }
  | { ok: false; refusal: Answer };

/** An endpoint that was found can tell which of its versions an Accept header asks for. */
export type FormMatch =
  | (Extract<RouteMatch, { kind: 'found' }> & {
      negotiate: (accept: string | undefined) => Negotiation;
    })
  | Exclude<RouteMatch, { kind: 'found' }>;

/** All that tells one form of the interface from the other, beside what its handlers render. */
export type WireFormat = {
  name: Form;
  /** In lower case, as Node has header names. */
  unitHeader: string;
  find: (method: string, path: string) => FormMatch;
  refuseCredentials: (headers: IncomingHttpHeaders) => Answer;
  seedPolicy: (policy: Policy) => Policy;
};
