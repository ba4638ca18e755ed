import type { Database } from '../database/tables.ts';
import { expiryMs } from './timings.ts';

export type Replica = {
  id: string;
  version: string;
  startedAt: Date;
  lastSeenAt: Date;
  /** ID of the key that the process encrypts with. */
  encryptionKeyId: string | undefined;
  /** False for one that has not been seen for a while, and did not stop cleanly. */
  isLive: boolean;
};

/** The processes on this database, oldest first, those that disappeared within the last hour too. */
export async function listReplicas(db: Database, now: Date): Promise<Replica[]> {
  const rows = await db
    .selectFrom('replica')
    .selectAll()
    .orderBy('started_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    version: row.version,
    startedAt: row.started_at,
    lastSeenAt: row.last_seen_at,
    encryptionKeyId: row.encryption_key_id ?? undefined,
    isLive: +now - +row.last_seen_at < expiryMs,
  }));
}
