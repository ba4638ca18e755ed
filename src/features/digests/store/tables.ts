import type { Generated } from 'kysely';
import type { Json, Timestamp } from '../../../database/column-types.ts';
import type { DigestPart, DigestSettings } from '../digest.ts';

export type DigestTable = {
  id: string;
  team_id: string;
  enterprise_id: string | null;
  channel_id: string;
  time: string;
  /** 1 is Monday. */
  weekdays: Json<number[]>;
  time_zone: string;
  parts: Json<DigestPart[]>;
  when_empty: DigestSettings['whenEmpty'];
  created_by: string;
  created_at: Timestamp;
  changed_by: string | null;
  changed_at: Timestamp | null;
  source_view_id: string;
  /** Counts the changes of its settings. */
  version: Generated<number>;
  next_run_at: Timestamp;
  /** When it was due, if it was edited while it was due. */
  postponed_from: Timestamp | null;
  /** Until when the last one told; before the first, a day before it was set up. */
  covered_until: Timestamp;
  lease_holder: string | null;
  lease_until: Timestamp | null;
  attempts: Generated<number>;
  /** While its channel is out of reach. */
  paused_at: Timestamp | null;
  paused_reason: string | null;
};

/** What was told when. */
export type DigestRunTable = {
  digest_id: string;
  team_id: string;
  enterprise_id: string | null;
  due_at: Timestamp;
  run_at: Timestamp;
  since: Timestamp;
  /** Null when the service could not be read. */
  connection_id: string | null;
  counts: Json<Record<string, number>> | null;
  /** False for silence. */
  is_posted: boolean;
  /** Of the message that told it; null for silence. */
  subject: string | null;
};

/** How a policy was kept; a count that the service does not tell is null. */
export type ComplianceSampleTable = {
  team_id: string;
  connection_id: string;
  policy_id: string;
  policy_name: string;
  taken_at: Timestamp;
  compliant_count: number | null;
  non_compliant_count: number | null;
  deactivated_count: number | null;
  protected_count: number | null;
  unprotected_count: number | null;
};

/** When the policies of a connection are to be read next, or until when someone is at it. */
export type ComplianceSamplingTable = {
  connection_id: string;
  team_id: string;
  next_at: Timestamp;
};

export type DigestTables = {
  digest: DigestTable;
  digest_run: DigestRunTable;
  compliance_sample: ComplianceSampleTable;
  compliance_sampling: ComplianceSamplingTable;
};
