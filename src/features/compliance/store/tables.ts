import type { Generated } from 'kysely';
import type { Timestamp } from '../../../database/column-types.ts';

/** Compliance of a policy; null for counts that the service did not return. */
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
  /** The policy could not be read; these are its last known counts. */
  is_carried_over: Generated<boolean>;
};

/** `next_at`: when a connection's policies are read next, or the end of the lease on reading them. */
type ComplianceSamplingTable = {
  connection_id: string;
  team_id: string;
  next_at: Timestamp;
};

export type ComplianceTables = {
  compliance_sample: ComplianceSampleTable;
  compliance_sampling: ComplianceSamplingTable;
};
