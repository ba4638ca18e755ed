import { type Clock, isRecent } from '../clock.ts';
import type { Database } from '../database/tables.ts';
import { expiryMs, noticeMs, reservedPart, retentionMs, staleMs } from './timings.ts';

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
