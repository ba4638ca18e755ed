import type { Store } from '../data/store.ts';
import type { Answer } from '../http/response.ts';
import type { OrganizationalUnit } from '../resources.ts';
import type { TaskRunner } from '../tasks.ts';
import type { Grant } from './authorize.ts';

/** Which links a list envelope offers: every one the live service has, or only those the contract names. */
export type LinkSet = 'all' | 'named';

/** How a portal is set up; the same from start to end. */
export type PortalSettings = {
  organizationalUnits: readonly OrganizationalUnit[];
  links: LinkSet;
  listsPolicies: boolean;
  /** Items a page where the request does not say. */
  pageSize: number;
};

/** A request that passed every check common to all endpoints. */
export type Call = {
  store: Store;
  tasks: TaskRunner;
  portal: PortalSettings;
  grant: Grant;
  unit: OrganizationalUnit;
  now: Date;
  /** The path as received, still encoded, for links. */
  path: string;
  /** The one path parameter, decoded; empty where the path has none. */
  resourceId: string;
  query: URLSearchParams;
  /** The parsed JSON of methods that take one. */
  body: unknown;
  /** The version of the resource that the answer is to have. */
  version: number;
};

export type Handler = (call: Call) => Answer;
