import { sql } from 'kysely';
import { isHeldBy, leaseRows } from '../../../database/leases.ts';
import {
  parseEach,
  type UnreadableRowError,
  unreadableRetryMs,
} from '../../../database/parse-rows.ts';
import type { ServedTeams } from '../../../database/served-teams.ts';
import type { Database } from '../../../database/tables.ts';
import { purgeTables } from '../../../database/team-purge.ts';
import { addMilliseconds } from '../../../dates.ts';
import { readUnreviewed, type UnreviewedRuns } from '../../approvals/index.ts';
import { connectionIdsOf, type EnqueueNamed, type OriginRef } from '../../workspaces/index.ts';
import type { Claim, Digest, DigestRef } from '../digest.ts';
import { createDigestChanges } from './change-digest.ts';
import { resumeDigests } from './digest-pausing.ts';
import { type DigestRow, refColumns, toDigest } from './digest-row.ts';
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
