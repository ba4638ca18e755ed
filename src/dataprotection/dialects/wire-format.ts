import type { AlertFilter } from '../resources/alert-filter.ts';
import type { UserFilter } from '../resources/user-filter.ts';
import type { Dialect } from './dialect.ts';
import { documentedFormat } from './documented.ts';
import { liveFormat } from './live.ts';
import type { Operation, OperationName } from './operations.ts';
import type { PolicyNames } from './policy-names.ts';

type Query = Record<string, string | undefined>;

/** What the two dialects spell differently. Everything else is the same on both. */
export type WireFormat = {
  /** Names the organizational unit to run in. */
  unitHeader: string;
  /** The version to ask for, given the path below the base URL. */
  accept: (path: string) => string;
  /**
   * Whether `start` is the position of a page's first item, from which other pages can be computed.
   * If not, it is a page's number or an opaque token, and only links lead on.
   */
  startIsPosition: boolean;
  /** Asks a list for large pages. */
  pageSize: Query;
  policy: PolicyNames;
  readsOnePolicy: boolean;
  /** Whether a replacement is only begun by its answer, which then still shows the old policy. */
  replacesInBackground: boolean;
  operations: Partial<Record<OperationName, Operation>>;
  /** Asks for the newest alerts first, filtered; without it, both are done here. */
  newestAlerts?: (filter: AlertFilter) => Query;
  filteredUsers?: (filter: UserFilter) => Query;
};

const wireFormats: Record<Dialect, WireFormat> = { documented: documentedFormat, live: liveFormat };

export function wireFormat(dialect: Dialect): WireFormat {
  return wireFormats[dialect];
}
