/** What a dialect calls the parts of a policy, and the fields of it that only the service writes. */
export type PolicyNames = {
  slaSets: string;
  operation: string;
  seedSetting: string;
  units: string;
  readOnlyFields: ReadonlySet<string>;
  readOnlySlaFields: ReadonlySet<string>;
};

export const documentedPolicyNames: PolicyNames = {
  slaSets: 'sla_sets',
  operation: 'operation',
  seedSetting: 'seed_setting',
  units: 'units',
  readOnlyFields: new Set(),
  readOnlySlaFields: new Set(),
};

export const livePolicyNames: PolicyNames = {
  slaSets: 'operations',
  operation: 'type',
  seedSetting: 'action_setting',
  units: 'unit',
  readOnlyFields: new Set(['lock_status', 'created_time', 'updated_time', 'task_id']),
  readOnlySlaFields: new Set(['next_start_time', 'previous_start_time']),
};
