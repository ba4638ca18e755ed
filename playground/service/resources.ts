/** The resources as in §2 Resources and their fields, without links. */
export type User = {
  id: string;
  full_name: string;
  email: string;
  is_confirmed: boolean;
  is_enabled: boolean;
  /** Absent for users who have never signed in. */
  last_activity_timestamp?: string;
  inviter: string;
  /** Live dialect only. By default derived from the id (`accessOf`). */
  access?: readonly Access[];
  /** Of users that were invited by a request. The service shows it in no response. */
  invitedAt?: string;
};

/** A role and the organizational units it is granted in; no unit means all. */
export type Access = { roleId: string; unitIds: readonly string[] };

/** Unknown fields of the live dialect, as they were sent. */
type LiveFields = { liveFields?: Readonly<Record<string, unknown>> };

export type Duration = { units: string; value: number; offsets?: number[] };

export type SlaSet = LiveFields & {
  operation: string;
  seed_setting: string;
  slas: { rpo_frequency: Duration; retention_duration: Duration }[];
};

/** The contract has the first three fields; the others exist in the live dialect only. */
export type Policy = LiveFields & {
  /** What was sent, if the service accepts any policy: it takes the place of the other fields. */
  sent?: Readonly<Record<string, unknown>>;
  id: string;
  name: string;
  sla_sets: SlaSet[];
  activation_status?: string;
  lock_status?: 'unlocked' | 'updating' | 'deleting';
  /** Both in Unix seconds. */
  created_time?: number;
  updated_time?: number;
};

/** A field that a replacement writes. */
export type PolicyField = 'name' | 'sla_sets' | 'activation_status' | 'liveFields';

export type Entity = { id: string; type: string; value: string };

/**
 * The contract has only the first two fields; others may be absent, and unknown fields may appear.
 */
export type Alert = {
  id: string;
  updated_timestamp: string;
  type?: string;
  cause?: string;
  severity?: string;
  status?: string;
  notes?: string;
  raised_count?: number;
  raised_timestamp?: string;
  cleared_timestamp?: string | null;
  consolidated_alert_id?: string;
  primary_entity?: Entity;
  parent_entity?: Entity;
  tags?: Entity[];
  details?: {
    type: string;
    cause: string;
    description: string;
    variables: Record<string, string> | null;
  };
  [unknownField: string]: unknown;
};

export type ComplianceStatistics = {
  compliant_count: number;
  non_compliant_count: number;
  deactivated_count: number;
  protected_count: number;
  unprotected_count: number;
  has_seeding_entities: boolean;
};

export type TaskStatus = 'queued' | 'in_progress' | 'completed' | 'failed' | 'aborting' | 'aborted';

/** Background work; live dialect only. */
export type Task = {
  id: string;
  type: string;
  category: string;
  genre: 'operational' | 'administrative';
  status: TaskStatus;
  progress_percentage: number;
  is_abortable: boolean;
  created_timestamp: string;
  start_timestamp: string | null;
  end_timestamp: string | null;
  primary_entity: Entity;
  parent_entity: Entity | null;
};

export type Role = {
  id: string;
  name: string;
  description: string;
  permissions: readonly { id: string; name: string; description: string }[];
};

export type OrganizationalUnit = { id: string; name: string; isDefault: boolean };

/** An AWS account in one region: where volumes are, and where they can be restored. Live only. */
export type Environment = {
  id: string;
  account_name: string;
  account_native_id: string;
  aws_region: string;
  aws_az: readonly string[];
  connection_status: string;
  services_enabled: readonly string[];
  /** What AWS knows and the service shows in no response. The first key is the default. */
  kmsKeyIds: readonly [string, ...string[]];
};

type Tag = { key: string; value: string };

/** An EBS volume; live dialect only. */
export type Volume = {
  id: string;
  name: string;
  volume_native_id: string;
  environment_id: string;
  account_native_id: string;
  aws_region: string;
  aws_az: string;
  /** In bytes. */
  size: number;
  type: string;
  iops: number;
  is_encrypted: boolean;
  kms_key_native_id: string | null;
  deletion_timestamp: string | null;
  unsupported_reason: string | null;
  tags: readonly (Tag & { id: string; key_id: string })[];
  last_backup_timestamp: string | null;
  last_snapshot_timestamp: string | null;
  /** The policy, and the id of the tag that the protection comes from unless it is direct. */
  protection: { policyId: string; tagId: string | null } | null;
  /** How the last backup ended, which may be later than the last that exists. */
  lastAttempt: { at: string; status: 'success' | 'partial_success' | 'failure' } | null;
};

/** A backup of an EBS volume; live dialect only. */
export type Backup = {
  id: string;
  volume_id: string;
  volume_native_id: string;
  start_timestamp: string;
  expiration_timestamp: string;
  /** In gigabytes. */
  size: number;
  account_native_id: string;
  aws_region: string;
  aws_az: string;
  is_encrypted: boolean;
  kms_key_native_id: string | null;
  tags: readonly Tag[];
  is_browsable: boolean;
  browsing_failed_reason: string | null;
  type: 'clumio_backup' | 'aws_snapshot';
  volume_type: string;
  iops: number;
  backup_tier: string;
  migration_timestamp: string | null;
  utilized_size_in_bytes: number;
};
