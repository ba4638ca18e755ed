import type { Database } from '../../../database/open-database.ts';
import type { EnqueueMessages } from '../../../outbox/enqueue.ts';
import type { Claim, DigestRun } from '../digest-store.ts';
import { insertSamples } from './compliance-samples.ts';

/** The row, what was told and the message that tells it: one transaction, for whoever holds the lease. */
export function finishDigest(
  db: Database,
  {
    claim,
    run,
    enqueueMessages,
  }: { claim: Claim; run: DigestRun; enqueueMessages: EnqueueMessages },
): Promise<boolean> {
  const { digest, dueAt, holder } = claim;
  const { teamId, channelId } = digest;
  const { at, told, outgoing } = run;

  return db.transaction().execute(async (trx) => {
    const finished = await trx
      .updateTable('digest')
      .set({
        next_run_at: run.nextRunAt,
        postponed_from: null,
        ...(told ? { covered_until: at } : {}),
        lease_holder: null,
        lease_until: null,
        attempts: 0,
      })
      .where('id', '=', digest.id)
      .where('lease_holder', '=', holder)
      .executeTakeFirst();
    if (finished.numUpdatedRows === 0n) return false;

    await trx
      .insertInto('digest_run')
      .values({
        digest_id: digest.id,
        team_id: teamId,
        enterprise_id: digest.enterpriseId ?? null,
        due_at: dueAt,
        run_at: at,
        since: run.since,
        connection_id: told?.connectionId ?? null,
        counts: told ? JSON.stringify(told.counts) : null,
        is_posted: outgoing !== undefined,
        subject: outgoing?.subject ?? null,
      })
      // A change of the times can bring the same one again.
      .onConflict((conflict) => conflict.columns(['digest_id', 'due_at']).doNothing())
      .execute();
    await trx
      .deleteFrom('digest_run')
      .where('digest_id', '=', digest.id)
      .where('due_at', '<', run.keptSince)
      .execute();
    if (told) {
      await insertSamples(trx, { teamId, connectionId: told.connectionId }, at, told.readings);
    }
    if (outgoing) {
      const to = { teamId, channelId, ownerSlackUserId: digest.createdBy };
      await enqueueMessages(trx, to, [outgoing], at);
    }
    return true;
  });
}

/** `DigestStore` has the rules. */
export async function toldNoPolicies(
  db: Database,
  { digestId, connectionId, at }: { digestId: string; connectionId: string; at: Date },
): Promise<boolean> {
  const run = await db
    .selectFrom('digest_run')
    .select('counts')
    .where('digest_id', '=', digestId)
    .where('connection_id', '=', connectionId)
    .where('run_at', '=', at)
    .executeTakeFirst();
  return run?.counts?.policies === 0;
}
