import { liveAlertFilter, liveUserFilter } from './live-filter.ts';
import { liveOperations } from './operations.ts';
import { livePolicyNames } from './policy-names.ts';
import type { WireFormat } from './wire-format.ts';

/** Resources that exist in several versions with different bodies, by the first part of the path. */
const newestVersions = new Map([
  ['users', 'users=v2'],
  ['organizational-units', 'organizational-units=v2'],
]);

/** The dialect that the public service speaks today. */
export const liveFormat: WireFormat = {
  unitHeader: 'x-clumio-organizationalunit-context',
  accept: (path) => {
    const resource = /^\/?([^/?]*)/.exec(path)?.[1] ?? '';
    return `application/api.clumio.${newestVersions.get(resource) ?? '*=v1'}+json`;
  },
  startIsPosition: false,
  pageSize: { limit: '100' },
  policy: livePolicyNames,
  readsOnePolicy: true,
  replacesInBackground: true,
  operations: liveOperations,
  newestAlerts: (filter) => ({ filter: liveAlertFilter(filter), sort: '-updated_timestamp' }),
  filteredUsers: (filter) => ({ filter: liveUserFilter(filter) }),
};
