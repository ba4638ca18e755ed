import type { Store } from '../data/store.ts';
import type { ServiceResponse } from '../http/response.ts';
import type { OrganizationalUnit } from '../resources.ts';
import type { TaskRunner } from '../tasks.ts';
import type { Grant } from './authorize.ts';

/**
 * Links of a list envelope: all that the live service has, or only those that the contract names.
 */
export type LinkSet = 'all' | 'named';

/** The settings of a portal, which don't change while it runs. */
export type PortalSettings = {
  organizationalUnits: readonly OrganizationalUnit[];
  links: LinkSet;
  listsPolicies: boolean;
  acceptsAnyPolicy: boolean;
  /** The default page size. */
  pageSize: number;
};

/** A request after the checks that all endpoints share. */
export type RequestContext = {
  store: Store;
  tasks: TaskRunner;
  portal: PortalSettings;
  grant: Grant;
  unit: OrganizationalUnit;
  now: Date;
  /** The encoded path as received, for links. */
  path: string;
  /** The decoded path parameter; empty if the path has none. */
  resourceId: string;
  query: URLSearchParams;
  /** The parsed JSON body, for methods that have one. */
  body: unknown;
  /** The negotiated version of the resource. */
  version: number;
};

export type Handler = (call: RequestContext) => ServiceResponse;
