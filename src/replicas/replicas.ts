import { type Clock, isRecent } from '../clock.ts';
import type { Database } from '../database/tables.ts';

/** How often each process renews its row and counts the others. */
export const heartbeatMs = 2000;

/** After this, every other process has counted a new one: one heartbeat, and the time of its query. */
export const noticeMs = 3000;

/** The part of a limit that is reserved for processes that the others have not counted yet. */
const reservedPart = 0.1;

/** An older count may be wrong, because the process may have been counted out meanwhile. */
export const staleMs = 6000;

/** A process that was not seen for so long does not count. Far enough from `staleMs` for clocks that differ. */
export const expiryMs = 10_000;

/** How long `/belay doctor` still reports a process that stopped renewing its row. */
const retentionMs = 3600_000;

export type Replicas = {
  /** Renews this process's row and counts the live ones; to be called every `heartbeatMs`. */
  beat: () => Promise<void>;
  /**
   * This process's part of a limit that all processes share, such as requests per second; a small
   * one for a moment after it joined others, until they have counted it. Reads memory only.
   */
  shareOf: (limit: number) => number;
  /** Removes the row, so that the others share the limit at once. */
  leave: () => Promise<void>;
};

/**
 * Registers this process in the table `replica`. The sum of all shares stays within the limit when
 * processes start, stop, crash, or freeze and resume: a process takes a full share only once the
 * others leave it one, and gives it up before they take it back. Until then it uses what is reserved
 * for new processes; only one that was alone reserves nothing, so that the first process beside it
 * can exceed the limit by that part until the next heartbeat.
 */
export async function joinReplicas(
  db: Database,
  {
    id,
    version,
    encryptionKeyId,
    clock,
  }: { id: string; version: string; encryptionKeyId?: string; clock: Clock },
): Promise<Replicas> {
  const startedAt = clock();
  let joinedAt = startedAt;
  let counted = { running: 1, newProcesses: 1, at: startedAt };

  async function beat(): Promise<void> {
    const at = clock();
    await db
      .insertInto('replica')
      .values({
        id,
        version,
        started_at: startedAt,
        last_seen_at: at,
        encryption_key_id: encryptionKeyId ?? null,
      })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ last_seen_at: at }))
      .execute();
    await db
      .deleteFrom('replica')
      .where('last_seen_at', '<', new Date(+at - retentionMs))
      .execute();
    const live = await db
      .selectFrom('replica')
      .select('started_at')
      .where('last_seen_at', '>', new Date(+at - expiryMs))
      .execute();
    const newProcesses = live.filter(({ started_at }) => +at - +started_at < noticeMs);
    // The others have counted it out: it was frozen, or the database did not answer. Or its clock was set.
    if (!isRecent(counted.at, at, expiryMs)) joinedAt = at;
    counted = {
      running: Math.max(1, live.length),
      newProcesses: Math.max(1, newProcesses.length),
      at,
    };
  }

  await beat();
  return {
    beat,
    shareOf(limit) {
      const now = +clock();
      const share = limit / counted.running;
      const age = now - +counted.at;
      // Not nothing: without the database nobody knows better, and no outage may last for that.
      if (age < 0 || age >= staleMs) return Math.min(1, share);
      if (counted.running === 1) return limit;
      const isNoticed = now - +joinedAt >= noticeMs;
      return isNoticed ? share * (1 - reservedPart) : (limit * reservedPart) / counted.newProcesses;
    },
    async leave() {
      await db.deleteFrom('replica').where('id', '=', id).execute();
    },
  };
}

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
