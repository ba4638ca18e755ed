import type { Json, Timestamp } from '../../../database/column-types.ts';

/** One row for each connection whose policies are read; the holder of its lease reads them. */
type PolicyObservationTable = {
  connection_id: string;
  team_id: string;
  next_at: Timestamp;
  /** When the first reading began that succeeded; null until there was one. */
  observed_since: Timestamp | null;
  /** When the last reading began that succeeded; null until there was one. */
  observed_at: Timestamp | null;
  /** Since when every reading has failed, and the cause of the last failure, as mrkdwn. */
  failing_since: Timestamp | null;
  failure: string | null;
  /** Since when the service has listed no policies. */
  unlisted_since: Timestamp | null;
  lease_holder: string | null;
  lease_until: Timestamp | null;
};

/** A policy as it was last seen. */
type ObservedPolicyTable = {
  team_id: string;
  connection_id: string;
  policy_id: string;
  /** A `PolicyDefinition` without the fields that only the service writes. */
  definition: Json<unknown>;
  /** Set while the list lacks it: a list that changes while it is read can skip an item. */
  missing_since: Timestamp | null;
};

export type ChangeKind = 'changed' | 'created' | 'deleted';

/** A change that was made outside Belay. */
export type PolicyChangeTable = {
  team_id: string;
  connection_id: string;
  policy_id: string;
  policy_name: string;
  kind: ChangeKind;
  /** `PolicyChange[]` */
  changes: Json<unknown>;
  found_at: Timestamp;
};

export type PolicyWatchTables = {
  policy_observation: PolicyObservationTable;
  observed_policy: ObservedPolicyTable;
  policy_change: PolicyChangeTable;
};
