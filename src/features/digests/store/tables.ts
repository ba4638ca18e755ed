import type { Generated } from 'kysely';
import type { Json, Timestamp } from '../../../database/column-types.ts';
import type { SubscriptionColumns } from '../../../subscriptions/subscription.ts';

/** Without the origin of a connection if it was created before the first one: the default one. */
type DigestTable = SubscriptionColumns<string | null> & {
  time: string;
  /** 1 is Monday. Parsed, as is `parts`, by `toDigest`. */
  weekdays: Json<unknown>;
  time_zone: string;
  parts: Json<unknown>;
  when_empty: 'heartbeat' | 'silence';
  /** An `AlertSearch`. */
  search: Json<unknown>;
  changed_by: string | null;
  source_view_id: string;
  /** Number of edits. */
  version: Generated<number>;
  next_run_at: Timestamp;
  /** When the next run was due, if the digest was edited after that. */
  postponed_from: Timestamp | null;
  /** End of the period that the last digest reported; at first, a day before it was created. */
  covered_until: Timestamp;
  lease_holder: string | null;
  lease_until: Timestamp | null;
  attempts: Generated<number>;
};

/** One row for each run. */
type DigestRunTable = {
  digest_id: string;
  team_id: string;
  due_at: Timestamp;
  run_at: Timestamp;
  since: Timestamp;
  /** Null if the service could not be read. */
  connection_id: string | null;
  counts: Json<unknown> | null;
  /** Of the message, if one was posted. */
  subject: string | null;
};

export type DigestTables = {
  digest: DigestTable;
  digest_run: DigestRunTable;
};
