import type { Json, Timestamp } from '../../../database/column-types.ts';

/** A channel in which changes to policies are posted. */
export type PolicyWatchTable = {
  team_id: string;
  channel_id: string;
  created_by: string;
  created_at: Timestamp;
  /** When Belay could no longer post there. */
  paused_at: Timestamp | null;
};

/** One row for each connection that is watched; the holder of its lease reads the policies. */
export type PolicyObservationTable = {
  connection_id: string;
  team_id: string;
  next_at: Timestamp;
  /** When the last reading began; null until there was one. */
  observed_at: Timestamp | null;
  lease_holder: string | null;
  lease_until: Timestamp | null;
};

/** A policy as it was last seen. */
export type ObservedPolicyTable = {
  team_id: string;
  connection_id: string;
  policy_id: string;
  /** A `PolicyDefinition` without the fields that only the service writes. */
  definition: Json<unknown>;
  /** Set while the list lacks it: a list that changes while it is read can skip an item. */
  missing_since: Timestamp | null;
};

export type PolicyWatchTables = {
  policy_watch: PolicyWatchTable;
  policy_observation: PolicyObservationTable;
  observed_policy: ObservedPolicyTable;
};
