import { sql, type Transaction } from 'kysely';
import { z } from 'zod';
import { isHeldBy, released } from '../../../database/leases.ts';
import type { Database, Tables } from '../../../database/tables.ts';
import { subDays } from '../../../dates.ts';
import type { Outgoing } from '../../../postings/outbox/message.ts';
import { destinationOf } from '../../../subscriptions/store.ts';
import type { EnqueueNamed } from '../../../workspace/enqueue-named.ts';
import { insertSamples, type NewSample, sampleRetentionDays } from '../../compliance/index.ts';
import type { Claim } from '../digest.ts';

/** What a run of a digest has reported. */
export type DigestRun = {
  at: Date;
  since: Date;
  /** Undefined if the service could not be read: the next digest covers the same period again. */
  report:
    | { connectionId: string; counts: Record<string, number>; samples: NewSample[] }
    | undefined;
  /** Undefined if there is nothing to post. */
  outgoing: Outgoing | undefined;
  nextRunAt: Date;
};

/**
 * Records the run, queues its message and sets the next time in one transaction. False, with nothing
 * done, if another process has taken over the lease or the digest was changed, paused or ended.
 */
export function finishDigestRun(
  db: Database,
  { claim, run, enqueueMessages }: { claim: Claim; run: DigestRun; enqueueMessages: EnqueueNamed },
): Promise<boolean> {
  const { digest, dueAt, holder } = claim;
  const { teamId } = digest;
  const { at, report, outgoing } = run;

  return db.transaction().execute(async (trx) => {
    const finished = await trx
      .updateTable('digest')
      .set({
        next_run_at: run.nextRunAt,
        postponed_from: null,
        ...(report ? { covered_until: at } : {}),
        ...released,
        attempts: 0,
      })
      .where('team_id', '=', teamId)
      .where('id', '=', digest.id)
      .where(isHeldBy(holder))
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
        connection_id: report?.connectionId ?? null,
        counts: report ? JSON.stringify(report.counts) : null,
        is_posted: outgoing !== undefined,
        subject: outgoing?.subject ?? null,
      })
      // A change of the schedule can make the same moment due twice.
      .onConflict((conflict) => conflict.columns(['digest_id', 'due_at']).doNothing())
      .execute();
    // Runs are kept as long as the samples that they are compared with.
    await trx
      .deleteFrom('digest_run')
      .where('team_id', '=', teamId)
      .where('digest_id', '=', digest.id)
      .where('due_at', '<', subDays(at, sampleRetentionDays))
      .execute();
    if (report) {
      await insertSamples(trx, { teamId, connectionId: report.connectionId }, at, report.samples);
    }
    if (outgoing) await enqueueMessages(trx, destinationOf(digest), [outgoing], at);
    return true;
  });
}

const countsColumn = z.object({ policies: z.number().optional() });

/**
 * Whether the run at that moment, over that connection, reported that there are no policies: such a
 * run leaves no samples behind.
 */
export async function reportedNoPolicies(
  db: Database,
  {
    teamId,
    digestId,
    connectionId,
    at,
  }: { teamId: string; digestId: string; connectionId: string; at: Date },
): Promise<boolean> {
  const run = await db
    .selectFrom('digest_run')
    .select('counts')
    .where('team_id', '=', teamId)
    .where('digest_id', '=', digestId)
    .where('connection_id', '=', connectionId)
    .where('run_at', '=', at)
    .executeTakeFirst();
  return countsColumn.nullish().parse(run?.counts)?.policies === 0;
}

/** Lets the next digests cover again what the dropped messages with these subjects reported. */
export async function rewindDropped(
  trx: Transaction<Tables>,
  { teamId, channelId }: { teamId: string; channelId: string },
  subjects: string[],
): Promise<void> {
  if (subjects.length === 0) return;
  await sql`
    update digest d set covered_until = least(d.covered_until, dropped.since)
    from (
      select r.digest_id, min(r.since) as since
      from digest_run r join digest own on own.id = r.digest_id
      where own.team_id = ${teamId} and own.channel_id = ${channelId}
        and r.subject in (select jsonb_array_elements_text(${JSON.stringify(subjects)}::jsonb))
      group by r.digest_id
    ) dropped
    where d.id = dropped.digest_id
  `.execute(trx);
}
