import type { Database } from '../../../database/open-database.ts';
import type { EnqueueMessages } from '../../../outbox/enqueue.ts';
import type { DigestStore } from '../digest-store.ts';
import { createResume } from './digest-pausing.ts';
import { toDigest } from './digest-row.ts';
import { columnsOf, createSettingsStore } from './digest-settings.ts';
import { finishDigest, toldNoPolicies } from './finish-digest.ts';

/** Digests in PostgreSQL; `DigestStore` has the rules. */
export function createDigestStore(
  db: Database,
  { enqueueMessages }: { enqueueMessages: EnqueueMessages },
): DigestStore {
  return {
    ...createSettingsStore(db, { enqueueMessages }),

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
            .orderBy('attempts')
            .orderBy('next_run_at')
            .limit(1)
            .forUpdate()
            .skipLocked(),
        )
        .returningAll()
        .executeTakeFirst();
      if (!row) return undefined;
      const digest = toDigest(row);
      return { digest, dueAt: digest.dueAt, holder, attempt: row.attempts };
    },

    resume: createResume(db),

    finish: (claim, run) => finishDigest(db, { claim, run, enqueueMessages }),

    toldNoPolicies: (told) => toldNoPolicies(db, told),

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
