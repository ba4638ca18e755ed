import type { Answer } from './answer.ts';
import type { OrganizationalUnit } from './resources.ts';
import type { Store } from './store.ts';

/** Which links a list envelope offers: every one the live service has, or only those the contract names. */
export type LinkSet = 'all' | 'named';

/** A request that passed every check common to all endpoints. */
export type Call = {
  store: Store;
  unit: OrganizationalUnit;
  /** The path as received, still encoded, for links. */
  path: string;
  /** The one path parameter, decoded; empty where the path has none. */
  resourceId: string;
  query: URLSearchParams;
  /** The parsed JSON of methods that take one. */
  body: unknown;
  links: LinkSet;
};

export type Handler = (call: Call) => Answer;
