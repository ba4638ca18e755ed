import { sql, type Transaction } from 'kysely';
import { isHeldBy, leaseRows, released } from '../../../database/leases.ts';
import { lockChannel } from '../../../database/lock-channel.ts';
import {
  parseEach,
  type UnreadableRowError,
  unreadableRetryMs,
} from '../../../database/parse-rows.ts';
import type { ServedTeams } from '../../../database/served-teams.ts';
import type { Database, Tables } from '../../../database/tables.ts';
import { purgeTables } from '../../../database/team-purge.ts';
import { addMilliseconds } from '../../../dates.ts';
import type { Outgoing } from '../../../outbox/index.ts';
import { isDirectChannel } from '../../../slack/api/channel.ts';
import { readUnreviewed, type UnreviewedRuns } from '../../approvals/index.ts';
import {
  connectionIdsOf,
  destinationOf,
  type EnqueueNamed,
  type OriginRef,
} from '../../workspaces/index.ts';
import type { Claim, Digest, DigestRef, DigestSettings } from '../digest.ts';
import { nextRun } from '../next-run.ts';
import { resumeDigests } from './digest-pausing.ts';
import { type DigestRow, refColumns, settingsColumns, toDigest } from './digest-row.ts';
import { type DigestRun, finishDigest, reportedNoPolicies } from './finish-digest.ts';

export type DigestStore = ReturnType<typeof createDigestStore>;

export function createDigestStore(
  db: Database,
  { enqueueMessages, isServed }: { enqueueMessages: EnqueueNamed; isServed: ServedTeams },
) {
  return {
    ...createDigestChanges(db, { enqueueMessages }),

    async find(ref: DigestRef): Promise<Digest | undefined> {
      const row = await db
        .selectFrom('digest')
        .selectAll()
        .where(({ and }) => and(refColumns(ref)))
        .executeTakeFirst();
      return row && toDigest(row);
    },

    async list({ teamId, channelId }: { teamId: string; channelId: string }): Promise<Digest[]> {
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

    /**
     * A digest that is due and that no process runs. Those with fewer attempts come first, or two
     * tenants whose service hangs could occupy every worker; of these, the longest due. One that can't be
     * read is not due again for a while.
     * @throws {UnreadableRowError}
     */
    async claimDue({
      now,
      leaseUntil,
      holder,
    }: {
      now: Date;
      leaseUntil: Date;
      holder: string;
    }): Promise<Claim | undefined> {
      const lease = { holder, at: now, until: leaseUntil };
      const [row] = await leaseRows(db, lease, {
        table: 'digest',
        key: ['id'],
        isServed,
        isDue: sql`next_run_at <= ${now} and paused_at is null`,
        orderBy: ['attempts', 'next_run_at'],
        limit: 1,
        set: sql`attempts = attempts + 1`,
      });
      if (!row) return undefined;
      const digest = await toDigestOrSetAside(row, holder, now);
      return { digest, dueAt: digest.dueAt, holder, attempt: row.attempts };
    },

    resume: (channel: { teamId: string; channelId: string }, at: Date) =>
      resumeDigests(db, channel, at),

    finish: (claim: Claim, run: DigestRun) => finishDigest(db, { claim, run, enqueueMessages }),

    reportedNoPolicies: (run: Parameters<typeof reportedNoPolicies>[1]) =>
      reportedNoPolicies(db, run),

    /** Of one connection. */
    readUnreviewed: (of: OriginRef): Promise<UnreviewedRuns> => readUnreviewed(db, of),

    async countPendingRequests(of: OriginRef): Promise<number> {
      const { count } = await db
        .selectFrom('approval')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('team_id', '=', of.teamId)
        .where('connection_id', 'in', connectionIdsOf(of))
        .where('state', '=', 'pending')
        // A bulk request is one.
        .where('parent_id', 'is', null)
        .executeTakeFirstOrThrow();
      return count;
    },
  };

  async function toDigestOrSetAside(row: DigestRow, holder: string, now: Date): Promise<Digest> {
    try {
      return toDigest(row);
    } catch (error) {
      await db
        .updateTable('digest')
        .set({ lease_until: addMilliseconds(now, unreadableRetryMs) })
        .where('team_id', '=', row.team_id)
        .where('id', '=', row.id)
        .where(isHeldBy(holder))
        .execute();
      throw error;
    }
  }
}

export const purgeDigests = purgeTables('digest_run', 'digest');

/** The digests of a workspace that can't be read. */
export async function listUnreadableDigests(
  db: Database,
  teamId: string,
): Promise<UnreadableRowError[]> {
  const rows = await db.selectFrom('digest').selectAll().where('team_id', '=', teamId).execute();
  return parseEach(rows, toDigest).unreadable;
}

export type NewDigest = Omit<Digest, 'changedBy' | 'version' | 'dueAt' | 'pausedReason'> & {
  createdAt: Date;
  /** The view whose submission creates it: the same view creates one digest. */
  sourceViewId: string;
};

type DigestChange = {
  settings: DigestSettings;
  /** The version that filled the person's form. */
  basedOn: number;
  by: string;
  at: Date;
  /** For the channel. */
  notice: Outgoing | undefined;
};

/** Creates, changes and ends digests. The notice for the channel is queued in the same transaction. */
function createDigestChanges(db: Database, { enqueueMessages }: { enqueueMessages: EnqueueNamed }) {
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
        await lockChannel(trx, 'digests', digest);
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
