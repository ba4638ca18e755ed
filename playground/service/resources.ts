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
