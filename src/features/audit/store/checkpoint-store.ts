import type { Selectable, Transaction } from 'kysely';
import type { CheckpointStatusTable } from '../../../audit-log/tables.ts';
import { type Clock, isRecent } from '../../../clock.ts';
import type { ServedTeams } from '../../../database/served-teams.ts';
import type { Database, Tables } from '../../../database/tables.ts';
import { minutesToMilliseconds } from '../../../dates.ts';
import type { EnqueueMessages } from '../../../postings/outbox/enqueue.ts';
import type { Message } from '../../../slack/ui/blocks.ts';
import { listApprovalsChannels } from '../../../workspace/store/connected-teams.ts';
import {
  checkpointsMissingMessage,
  checkpointsResumedMessage,
} from '../views/checkpoint-messages.ts';

/** The approvals channels are notified after this long without a checkpoint by any process. */
const notifyAfterMs = minutesToMilliseconds(15);
/** How exactly the time of the last checkpoint is known: one is written every second. */
const recordedEveryMs = minutesToMilliseconds(1);

type Status = Selectable<CheckpointStatusTable>;

/** When checkpoints were last written, by any process, and who was notified of an outage. */
export function createCheckpointStore(
  db: Database,
  { enqueueMessages, isServed }: { enqueueMessages: EnqueueMessages; isServed: ServedTeams },
) {
  /** Runs `change` in a transaction if the status is due for it, also once its row is locked. */
  async function changeIf(
    isDue: (status: Status | undefined) => boolean,
    change: (trx: Transaction<Tables>, status: Status | undefined) => Promise<void>,
  ): Promise<void> {
    const read = db.selectFrom('checkpoint_status').selectAll();
    if (!isDue(await read.executeTakeFirst())) return;
    await db.transaction().execute(async (trx) => {
      const status = await trx
        .selectFrom('checkpoint_status')
        .selectAll()
        .forUpdate()
        .executeTakeFirst();
      if (isDue(status)) await change(trx, status);
    });
  }

  async function notifyAll(trx: Transaction<Tables>, subject: string, message: Message, at: Date) {
    for (const channel of await listApprovalsChannels(trx, isServed)) {
      await enqueueMessages(trx, channel, [{ subject, message }], at);
    }
  }

  /** Checkpoints were written: ends an outage, and notifies everyone who was notified of it. */
  const recordWritten = (at: Date): Promise<void> =>
    changeIf(
      (status) =>
        !status || status.notified_at !== null || !isRecent(status.written_at, at, recordedEveryMs),
      async (trx, status) => {
        if (status?.notified_at) {
          const message = checkpointsResumedMessage(status.written_at);
          await notifyAll(trx, `checkpoints-resumed:${at.toISOString()}`, message, at);
        }
        await trx
          .insertInto('checkpoint_status')
          .values({ written_at: at })
          .onConflict((conflict) =>
            conflict.column('id').doUpdateSet({ written_at: at, notified_at: null }),
          )
          .execute();
      },
    );

  /**
   * Checkpoints could not be written: notifies all approvals channels once if it lasts. A time that is
   * a little ahead, because clocks differ, is one of a process that writes them.
   */
  const recordFailure = (at: Date): Promise<void> =>
    changeIf(
      (status) =>
        status?.notified_at === null && Math.abs(+at - +status.written_at) >= notifyAfterMs,
      async (trx, status) => {
        const message = checkpointsMissingMessage(status?.written_at ?? at);
        await notifyAll(trx, `checkpoints-missing:${at.toISOString()}`, message, at);
        await trx.updateTable('checkpoint_status').set({ notified_at: at }).execute();
      },
    );

  return {
    /**
     * Writes the checkpoints that are missing with `write`, and records whether that worked, so that the
     * approvals channels are notified of a long outage and of its end. Call it every second.
     * @throws what `write` throws.
     */
    async keep(write: () => Promise<void>, clock: Clock): Promise<void> {
      try {
        await write();
      } catch (error) {
        await recordFailure(clock());
        throw error;
      }
      await recordWritten(clock());
    },
  };
}
