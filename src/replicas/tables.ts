import type { Timestamp } from '../database/column-types.ts';

/** One row for each process, until it stops or a while after it was last seen. */
type ReplicaTable = {
  id: string;
  version: string;
  started_at: Timestamp;
  last_seen_at: Timestamp;
  /** The key that the process encrypts with. */
  encryption_key_id: string | null;
};

/** A row while a process works for the workspace, or has died doing so. */
type TeamLeaseTable = {
  team_id: string;
  work: string;
  lease_holder: string;
  lease_until: Timestamp;
};

export type ReplicaTables = { replica: ReplicaTable; team_lease: TeamLeaseTable };
