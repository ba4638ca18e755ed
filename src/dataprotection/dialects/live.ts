import type { AlertFilter } from '../resources/alert-filter.ts';
import type { UserFilter } from '../resources/user-schema.ts';
import type {
  Conditions,
  DialectRules,
  Operation,
  OperationName,
  PolicyValues,
} from './dialect-rules.ts';

/** Resources with several versions and different bodies, by the first segment of the path. */
const newestVersions = new Map([
  ['users', 'users=v2'],
  ['organizational-units', 'organizational-units=v2'],
  // Version 1 of a backup calls the type of its volume its type, and of a restore names no task.
  ['backups', 'backup-aws-ebs-volumes=v2'],
  ['restores', 'restored-aws-ebs-volumes=v2'],
]);

const operations: Record<OperationName, Operation> = {
  updateAlert: {
    resource: 'individual-alerts',
    id: 'update-individual-alert',
    type: 'patch',
    href: '/alerts/individual/{individual_alert_id}',
  },
  inviteUser: { resource: 'users', id: 'create-user', type: 'post', href: '/users' },
  readAutoProvisioning: {
    resource: 'auto-user-provisioning-settings',
    id: 'read-auto-user-provisioning-setting',
    type: 'get',
    href: '/settings/auto-user-provisioning',
  },
  listRoles: { resource: 'roles', id: 'list-roles', type: 'get', href: '/roles' },
  listOrganizationalUnits: {
    resource: 'organizational-units',
    id: 'list-organizational-units',
    type: 'get',
    href: '/organizational-units',
  },
  readTask: { resource: 'tasks', id: 'read-task', type: 'get', href: '/tasks/{task_id}' },
  listTasks: { resource: 'tasks', id: 'list-tasks', type: 'get', href: '/tasks' },
  updateTask: { resource: 'tasks', id: 'update-task', type: 'patch', href: '/tasks/{task_id}' },
  listVolumes: {
    resource: 'aws-ebs-volumes',
    id: 'list-aws-ebs-volumes',
    type: 'get',
    href: '/datasources/aws/ebs-volumes',
  },
  readVolume: {
    resource: 'aws-ebs-volumes',
    id: 'read-aws-ebs-volume',
    type: 'get',
    href: '/datasources/aws/ebs-volumes/{volume_id}',
  },
  listBackups: {
    resource: 'backup-aws-ebs-volumes',
    id: 'list-backup-aws-ebs-volumes',
    type: 'get',
    href: '/backups/aws/ebs-volumes',
  },
  readBackup: {
    resource: 'backup-aws-ebs-volumes',
    id: 'read-backup-aws-ebs-volume',
    type: 'get',
    href: '/backups/aws/ebs-volumes/{backup_id}',
  },
  listEnvironments: {
    resource: 'aws-environments',
    id: 'list-aws-environments',
    type: 'get',
    href: '/datasources/aws/environments',
  },
  restoreVolume: {
    resource: 'restored-aws-ebs-volumes',
    id: 'restore-aws-ebs-volume',
    type: 'post',
    href: '/restores/aws/ebs-volumes',
  },
};

/**
 * The published lists, which are not complete. Weekly backups on chosen days (`weekly`) are left out:
 * they take more than a number.
 */
const policyValues: PolicyValues = {
  operations: [
    ...['aws_ebs_volume_backup', 'aws_ebs_volume_snapshot'],
    ...['aws_ec2_instance_backup', 'aws_ec2_instance_snapshot'],
    ...['aws_rds_resource_aws_snapshot', 'aws_rds_resource_rolling_backup'],
    ...['aws_rds_resource_granular_backup', 'aws_dynamodb_table_snapshot'],
    ...['aws_dynamodb_table_pitr', 'aws_s3_continuous_backup', 'protection_group_backup'],
    ...['ec2_mssql_database_backup', 'ec2_mssql_log_backup'],
    ...['microsoft365_mailbox_backup', 'microsoft365_onedrive_backup'],
    ...['microsoft365_share_point_backup', 'microsoft365_teams_backup'],
    ...['vmware_vm_backup', 'mssql_database_backup', 'mssql_log_backup'],
  ],
  seedSettings: ['immediate', 'window'],
  frequencyUnits: ['minutes', 'hours', 'days', 'weeks', 'months', 'years', 'on_demand'],
  retentionUnits: ['days', 'weeks', 'months', 'years'],
  unitsWithoutValue: ['on_demand'],
  windowField: 'backup_window_tz',
};

/** The public service as it is today (§10 The live dialect). */
export const liveRules: DialectRules = {
  unitHeader: 'x-clumio-organizationalunit-context',
  accept: (path) => {
    const resource = /^\/?([^/?]*)/.exec(path)?.[1] ?? '';
    return `application/api.clumio.${newestVersions.get(resource) ?? '*=v1'}+json`;
  },
  startIsPosition: false,
  requestsPerSecond: 100,
  pageSize: { limit: '100' },
  policy: {
    slaSets: 'operations',
    operation: 'type',
    seedSetting: 'action_setting',
    units: 'unit',
    readOnlyFields: new Set(['lock_status', 'created_time', 'updated_time', 'task_id']),
    readOnlySlaFields: new Set(['next_start_time', 'previous_start_time']),
  },
  policyValues,
  readsOnePolicy: true,
  replacesInBackground: true,
  operations,
  newestAlerts: (filter) => ({ filter: alertConditions(filter), sort: '-updated_timestamp' }),
  filteredUsers: (filter) => ({ filter: userConditions(filter) }),
  filtered: (conditions) => ({ filter: toJson(conditions) }),
};

/** JSON of conditions by field, all of which must hold; undefined for no condition at all. */
function alertConditions(filter: AlertFilter): string | undefined {
  const { isCleared, severities, types, updatedSince } = filter;
  return toJson({
    status: isCleared === undefined ? undefined : { $in: [isCleared ? 'cleared' : 'active'] },
    severity: isOneOf(severities),
    type: isOneOf(types),
    updated_timestamp: updatedSince && { $gte: updatedSince.toISOString() },
  });
}

function userConditions({ name }: UserFilter): string | undefined {
  return toJson({ name: name ? { $contains: name } : undefined });
}

function isOneOf(values: readonly string[] | undefined) {
  // The grammar can't say "none of them". An empty choice is left to the client's own filter.
  return values && values.length > 0 ? { $in: [...values] } : undefined;
}

function toJson(conditions: Conditions): string | undefined {
  const given = Object.entries(conditions).filter(([, condition]) => condition !== undefined);
  return given.length > 0 ? JSON.stringify(Object.fromEntries(given)) : undefined;
}
