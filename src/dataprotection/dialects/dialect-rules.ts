import type { AlertFilter } from '../resources/alert-filter.ts';
import type { UserFilter } from '../resources/user-schema.ts';

type Query = Record<string, string | undefined>;

/** By field, all of which must hold; undefined for no condition. */
export type Conditions = Record<
  string,
  Record<string, string | boolean | readonly string[]> | undefined
>;

/**
 * Everything in which the dialects differ. Features never see it: they call the functions of
 * `resources/`, which behave the same on both dialects as far as the services allow.
 */
export type DialectRules = {
  /** Header that selects the organizational unit, in lower case. */
  unitHeader: string;
  /** The Accept header for a path below the base URL. */
  accept: (path: string) => string;
  /**
   * Whether `start` is the 1-based position of a page's first item, from which the adjacent pages
   * can be computed. If not, it is a page number or an opaque token, and only links lead on.
   */
  startIsPosition: boolean;
  /** The rate limit of one organization, unless the configuration says otherwise. */
  requestsPerSecond: number;
  /** Query that asks a list for the largest pages. */
  pageSize: Query;
  policy: PolicyNames;
  policyValues: PolicyValues;
  /** Whether one policy can be read by its id. */
  readsOnePolicy: boolean;
  /** Whether the response to a replacement comes before the change and shows the old policy. */
  replacesInBackground: boolean;
  operations: Partial<Record<OperationName, Operation>>;
  /** Query for the newest alerts first, filtered. Without it the client sorts and filters. */
  newestAlerts?: (filter: AlertFilter) => Query;
  /** Query for filtered users. Without it the client filters. */
  filteredUsers?: (filter: UserFilter) => Query;
  /** Query for a list of an operation that only this dialect has, filtered. */
  filtered: (conditions: Conditions) => Query;
};

/** Field names of a policy, and the fields of it that only the service writes. */
export type PolicyNames = {
  slaSets: string;
  operation: string;
  seedSetting: string;
  units: string;
  readOnlyFields: ReadonlySet<string>;
  readOnlySlaFields: ReadonlySet<string>;
};

/** What a service of this dialect is known to accept in a policy. All of these are open sets. */
export type PolicyValues = {
  operations: readonly string[];
  /** When the first backup starts. */
  seedSettings: readonly string[];
  frequencyUnits: readonly string[];
  retentionUnits: readonly string[];
  /** Units that come without a number. */
  unitsWithoutValue: readonly string[];
  /** The field of an SLA set with the hours in which backups may run. */
  windowField?: string;
};

/** Operations that not every dialect has. */
export type OperationName =
  | 'updateAlert'
  | 'inviteUser'
  | 'readAutoProvisioning'
  | 'listRoles'
  | 'listOrganizationalUnits'
  | 'readTask'
  | 'listTasks'
  | 'updateTask'
  | 'listVolumes'
  | 'readVolume'
  | 'listBackups'
  | 'readBackup'
  | 'listEnvironments'
  | 'restoreVolume';

/** Resource and operation id as discovery names them, and the default link without discovery. */
export type Operation = {
  resource: string;
  id: string;
  type: 'get' | 'patch' | 'post';
  /** RFC 6570 template. */
  href: string;
};
