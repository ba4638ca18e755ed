import { sql } from 'kysely';
import type { DigestRef, DigestStore, NewDigest } from '../features/digests/digest-store.ts';
import { createResume } from './digest-pausing.ts';
import { settingsColumns, toDigest } from './digest-row.ts';
import { finishDigest } from './finish-digest.ts';
import type { Database } from './open-database.ts';
import type { QueueOutgoing } from './outbox.ts';

/** Digests in PostgreSQL; `DigestStore` has the rules. */
export function createDigestStore(
  db: Database,
  { queue, digestsPerChannel }: { queue: QueueOutgoing; digestsPerChannel: number },
): DigestStore {
  return {
    create: (digest) => createDigest(db, digest, digestsPerChannel),

    async change(ref, { settings, by, at, nextRunAt }) {
      const { numUpdatedRows } = await db
        .updateTable('digest')
        .set((eb) => ({
          ...settingsColumns(settings),
          changed_by: by,
          changed_at: at,
          next_run_at: nextRunAt,
          postponed_from: null,
          version: eb('version', '+', 1),
          attempts: 0,
        }))
        .where(({ and }) => and(columnsOf(ref)))
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async end(ref) {
      const row = await db
        .deleteFrom('digest')
        .where(({ and }) => and(columnsOf(ref)))
        .returningAll()
        .executeTakeFirst();
      return row && toDigest(row);
    },

    async find(ref) {
      const row = await db
        .selectFrom('digest')
        .selectAll()
        .where(({ and }) => and(columnsOf(ref)))
        .executeTakeFirst();
      return row && toDigest(row);
    },

    async list({ teamId, channelId }) {
      const rows = await db
        .selectFrom('digest')
        .selectAll()
        .where('team_id', '=', teamId)
        .where('channel_id', '=', channelId)
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map(toDigest);
    },

    async claimDue({ now, leaseUntil, holder }) {
      const row = await db
        .updateTable('digest')
        .set((eb) => ({
          lease_holder: holder,
          lease_until: leaseUntil,
          attempts: eb('attempts', '+', 1),
        }))
        .where('id', '=', (eb) =>
          eb
            .selectFrom('digest')
            .select('id')
            .where('next_run_at', '<=', now)
            .where('paused_at', 'is', null)
            .where(({ or, eb: due }) =>
              or([due('lease_until', 'is', null), due('lease_until', '<=', now)]),
            )
            .orderBy('next_run_at')
            .limit(1)
            .forUpdate()
            .skipLocked(),
        )
        .returningAll()
        .executeTakeFirst();
      if (!row) return undefined;
      const { version, attempts: attempt } = row;
      const dueAt = row.postponed_from ?? row.next_run_at;
      return { digest: toDigest(row), dueAt, holder, version, attempt };
    },

    async postpone({ digest, dueAt, holder, version }, until) {
      await db
        .updateTable('digest')
        .set({
          next_run_at: until,
          postponed_from: dueAt,
          lease_holder: null,
          lease_until: null,
          attempts: 0,
        })
        .where('id', '=', digest.id)
        .where('lease_holder', '=', holder)
        .where('version', '=', version)
        .execute();
    },

    resume: createResume(db),

    finish: (claim, run) => finishDigest(db, { claim, run, queue }),

    async countWaiting(teamId) {
      const { count } = await db
        .selectFrom('approval')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('team_id', '=', teamId)
        .where('state', '=', 'pending')
        .executeTakeFirstOrThrow();
      return count;
    },
  };
}

function columnsOf({ teamId, channelId, id }: DigestRef) {
  return { team_id: teamId, channel_id: channelId, id };
}

function createDigest(db: Database, digest: NewDigest, digestsPerChannel: number) {
  const { teamId, channelId } = digest;
  return db.transaction().execute(async (trx) => {
    // Two people at once could each see room for one more.
    await sql`select pg_advisory_xact_lock(hashtext(${`digest:${teamId}:${channelId}`}))`.execute(
      trx,
    );
    const before = await trx
      .selectFrom('digest')
      .select('source_view_id')
      .where('team_id', '=', teamId)
      .where(({ or, eb }) =>
        or([eb('channel_id', '=', channelId), eb('source_view_id', '=', digest.sourceViewId)]),
      )
      .execute();
    if (before.some((row) => row.source_view_id === digest.sourceViewId)) return 'created-before';
    if (before.length >= digestsPerChannel) return 'too-many';
    await trx
      .insertInto('digest')
      .values({
        id: digest.id,
        team_id: teamId,
        enterprise_id: digest.enterpriseId ?? null,
        channel_id: channelId,
        ...settingsColumns(digest.settings),
        created_by: digest.createdBy,
        created_at: digest.createdAt,
        source_view_id: digest.sourceViewId,
        next_run_at: digest.nextRunAt,
      })
      .execute();
    return 'created';
  });
}
