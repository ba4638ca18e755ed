import type { Timestamp } from '../database/column-types.ts';

/** One row for each process, until it stops or a while after it was last seen. */
export type ReplicaTable = {
  id: string;
  version: string;
  started_at: Timestamp;
  last_seen_at: Timestamp;
  /** The key that the process encrypts with; null for older versions of Belay. */
  encryption_key_id: string | null;
};

export type ReplicaTables = { replica: ReplicaTable };
