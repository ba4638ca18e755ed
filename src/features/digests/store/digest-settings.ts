import { sql, type Transaction } from 'kysely';
import type { Database } from '../../../database/open-database.ts';
import type { Tables } from '../../../database/tables.ts';
import type { EnqueueMessages } from '../../../outbox/enqueue.ts';
import type { Outgoing } from '../../../outbox/message.ts';
import type { Digest } from '../digest.ts';
import type { DigestRef, DigestStore } from '../digest-store.ts';
import { settingsColumns, toDigest } from './digest-row.ts';

type SettingsStore = Pick<DigestStore, 'create' | 'change' | 'end'>;

/** The part of `DigestStore` that is about what people set up; the channel is told in the same transaction. */
export function createSettingsStore(
  db: Database,
  { enqueueMessages }: { enqueueMessages: EnqueueMessages },
): SettingsStore {
  const tellChannel = async (
    trx: Transaction<Tables>,
    { teamId, channelId, createdBy }: Pick<Digest, 'teamId' | 'channelId' | 'createdBy'>,
    { tell, at }: { tell: Outgoing | undefined; at: Date },
  ) => {
    if (tell)
      await enqueueMessages(trx, { teamId, channelId, ownerSlackUserId: createdBy }, [tell], at);
  };

  return {
    create: (digest, { tell, atMost }) =>
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
        if (before.length >= atMost) return 'too-many';
        await trx
          .insertInto('digest')
          .values({
            id: digest.id,
            team_id: teamId,
            enterprise_id: digest.enterpriseId ?? null,
            channel_id: channelId,
            ...settingsColumns(digest.settings),
            created_by: digest.createdBy,
            created_at: createdAt,
            source_view_id: sourceViewId,
            next_run_at: digest.nextRunAt,
            covered_until: digest.coveredUntil,
          })
          .execute();
        await tellChannel(trx, digest, { tell, at: createdAt });
        return 'created';
      }),

    change: (ref, { settings, basedOn, by, at, nextRunOf, tell }) =>
      db.transaction().execute(async (trx) => {
        const before = await trx
          .selectFrom('digest')
          .selectAll()
          .where(({ and }) => and(columnsOf(ref)))
          .forUpdate()
          .executeTakeFirst();
        if (!before) return undefined;
        if (before.version !== basedOn) {
          return { result: 'changed-meanwhile', digest: toDigest(before) };
        }
        const { dueAt } = toDigest(before);
        // A paused one goes on at its next time, not at once.
        const isDue = dueAt <= at && before.paused_at === null;
        const row = await trx
          .updateTable('digest')
          .set((eb) => ({
            ...settingsColumns(settings),
            changed_by: by,
            changed_at: at,
            next_run_at: nextRunOf({ isDue }),
            postponed_from: isDue ? dueAt : null,
            version: eb('version', '+', 1),
            lease_holder: null,
            lease_until: null,
            attempts: 0,
          }))
          .where(({ and }) => and(columnsOf(ref)))
          .returningAll()
          .executeTakeFirstOrThrow();
        const digest = toDigest(row);
        await tellChannel(trx, digest, { tell, at });
        return { result: 'changed', digest };
      }),

    end: (ref, ending) =>
      db.transaction().execute(async (trx) => {
        const row = await trx
          .deleteFrom('digest')
          .where(({ and }) => and(columnsOf(ref)))
          .returningAll()
          .executeTakeFirst();
        if (!row) return undefined;
        const digest = toDigest(row);
        await tellChannel(trx, digest, ending);
        return digest;
      }),
  };
}

export function columnsOf({ teamId, channelId, id }: DigestRef) {
  return { team_id: teamId, channel_id: channelId, id };
}
