import { sql, type Transaction } from 'kysely';
import { released } from '../../../database/leases.ts';
import type { Database, Tables } from '../../../database/tables.ts';
import type { Outgoing } from '../../../outbox/index.ts';
import { isDirectChannel } from '../../../slack/api/channel.ts';
import { destinationOf, type EnqueueNamed } from '../../workspaces/index.ts';
import type { Digest, DigestRef, DigestSettings } from '../digest.ts';
import { nextRun } from '../next-run.ts';
import { refColumns, settingsColumns, toDigest } from './digest-row.ts';

export type NewDigest = Omit<Digest, 'changedBy' | 'version' | 'dueAt' | 'pausedReason'> & {
  createdAt: Date;
  /** The view whose submission creates it: the same view creates one digest. */
  sourceViewId: string;
};

export type DigestChange = {
  settings: DigestSettings;
  /** The version that filled the person's form. */
  basedOn: number;
  by: string;
  at: Date;
  /** For the channel. */
  notice: Outgoing | undefined;
};

/** Creates, changes and ends digests. The notice for the channel is queued in the same transaction. */
export function createDigestChanges(
  db: Database,
  { enqueueMessages }: { enqueueMessages: EnqueueNamed },
) {
  const notifyChannel = async (
    trx: Transaction<Tables>,
    digest: Pick<Digest, 'teamId' | 'originId' | 'channelId' | 'createdBy'>,
    { notice, at }: { notice: Outgoing | undefined; at: Date },
  ) => {
    // In direct messages the only reader made the change and has the answer already.
    if (!notice || isDirectChannel(digest.channelId)) return;
    await enqueueMessages(trx, destinationOf(digest), [notice], at);
  };

  return {
    create: (
      digest: NewDigest,
      { notice, maxDigests }: { notice: Outgoing | undefined; maxDigests: number },
    ): Promise<'created' | 'created-before' | 'too-many'> =>
      db.transaction().execute(async (trx) => {
        const { teamId, channelId, createdAt } = digest;
        // Two people at once could each see room for one more.
        const lock = `digest:${teamId}:${channelId}`;
        await sql`select pg_advisory_xact_lock(hashtext(${lock}))`.execute(trx);
        const before = await trx
          .selectFrom('digest')
          .select('source_view_id')
          .where('team_id', '=', teamId)
          .where(({ or, eb }) =>
            or([eb('channel_id', '=', channelId), eb('source_view_id', '=', digest.sourceViewId)]),
          )
          .execute();
        const { sourceViewId } = digest;
        if (before.some((row) => row.source_view_id === sourceViewId)) return 'created-before';
        if (before.length >= maxDigests) return 'too-many';
        await trx
          .insertInto('digest')
          .values({
            id: digest.id,
            team_id: teamId,
            enterprise_id: digest.enterpriseId ?? null,
            connection_origin_id: digest.originId ?? null,
            channel_id: channelId,
            ...settingsColumns(digest.settings),
            created_by: digest.createdBy,
            created_at: createdAt,
            source_view_id: sourceViewId,
            next_run_at: digest.nextRunAt,
            covered_until: digest.coveredUntil,
          })
          .execute();
        await notifyChannel(trx, digest, { notice, at: createdAt });
        return 'created';
      }),

    /**
     * Undefined if the digest is gone; unchanged if somebody changed it since `basedOn`. Changing a
     * digest that is due doesn't cancel it: it runs at once with the new settings, and a run in progress
     * loses its lease and can't finish.
     */
    change: (
      ref: DigestRef,
      { settings, basedOn, by, at, notice }: DigestChange,
    ): Promise<{ result: 'changed' | 'changed-meanwhile'; digest: Digest } | undefined> =>
      db.transaction().execute(async (trx) => {
        const before = await trx
          .selectFrom('digest')
          .selectAll()
          .where(({ and }) => and(refColumns(ref)))
          .forUpdate()
          .executeTakeFirst();
        if (!before) return undefined;
        if (before.version !== basedOn) {
          return { result: 'changed-meanwhile', digest: toDigest(before) };
        }
        const { dueAt } = toDigest(before);
        // A paused digest resumes at its next time, not at once.
        const isDue = dueAt <= at && before.paused_at === null;
        const row = await trx
          .updateTable('digest')
          .set((eb) => ({
            ...settingsColumns(settings),
            changed_by: by,
            changed_at: at,
            next_run_at: isDue ? at : nextRun(settings, at),
            postponed_from: isDue ? dueAt : null,
            version: eb('version', '+', 1),
            ...released,
            attempts: 0,
          }))
          .where(({ and }) => and(refColumns(ref)))
          .returningAll()
          .executeTakeFirstOrThrow();
        const digest = toDigest(row);
        await notifyChannel(trx, digest, { notice, at });
        return { result: 'changed', digest };
      }),

    /** Deletes its runs too. Undefined if the digest is gone. */
    end: (
      ref: DigestRef,
      ending: { notice: Outgoing | undefined; at: Date },
    ): Promise<Digest | undefined> =>
      db.transaction().execute(async (trx) => {
        const row = await trx
          .deleteFrom('digest')
          .where(({ and }) => and(refColumns(ref)))
          .returningAll()
          .executeTakeFirst();
        if (!row) return undefined;
        const digest = toDigest(row);
        await notifyChannel(trx, digest, ending);
        return digest;
      }),
  };
}
