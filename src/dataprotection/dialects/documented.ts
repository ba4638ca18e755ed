import type { DialectRules } from './dialect-rules.ts';

/** The contract shows `year` alone; the others are spelled alike. */
const units = ['minute', 'hour', 'day', 'week', 'month', 'year'];

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
  policyValues: {
    operations: [
      ...['vmware_vm_backup', 'aws_ebs_volume_backup', 'aws_rds_resource_aws_snapshot'],
      ...['aws_rds_resource_rolling_backup', 'aws_rds_resource_granular_backup'],
    ],
    seedSettings: ['immediate'],
    frequencyUnits: units,
    retentionUnits: units,
    unitsWithoutValue: [],
  },
  readsOnePolicy: false,
  replacesInBackground: false,
  operations: {},
  filtered: () => ({}),
};
