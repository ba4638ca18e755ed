import type { DialectRules } from './dialect-rules.ts';

/** The contract as documented: §2 Resources and their fields, §4 Endpoints, §9 Versioning. */
export const documentedRules: DialectRules = {
  unitHeader: 'x-service-organizationalunit-context',
  accept: () => 'application/api.service.*=v1+json',
  startIsPosition: true,
  // §8 Limits states none, so well below that of the live service.
  requestsPerSecond: 50,
  pageSize: {},
  policy: {
    slaSets: 'sla_sets',
    operation: 'operation',
    seedSetting: 'seed_setting',
    units: 'units',
    readOnlyFields: new Set(),
    readOnlySlaFields: new Set(),
  },
  readsOnePolicy: false,
  replacesInBackground: false,
  operations: {},
};
