import { type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import { z } from 'zod';
import {
  connectionIdsOf,
  isOnConnection,
  type OriginRef,
  originOf,
} from '../../../database/connection-origin.ts';
import { isHeldBy, isUnleased, type Lease, leaseRows, released } from '../../../database/leases.ts';
import { unreadableRetryMs } from '../../../database/parse-rows.ts';
import type { ServedTeams } from '../../../database/served-teams.ts';
import type { Database, Tables } from '../../../database/tables.ts';
import { addMilliseconds, subDays } from '../../../dates.ts';
import { nextRun } from '../../../jobs/next-run.ts';
import type { Outgoing } from '../../../postings/outbox/message.ts';
import {
  readUnreviewed,
  type UnreviewedRuns,
} from '../../../requests/break-glass/break-glass-store.ts';
import type { Row } from '../../../subscriptions/define-subscription.ts';
import { createSubscriptionStore, destinationOf } from '../../../subscriptions/store.ts';
import type {
  ChangedBy,
  Channel,
  NewSubscription,
  Ref,
} from '../../../subscriptions/subscription.ts';
import type { EnqueueNamed } from '../../../workspace/enqueue-named.ts';
import { insertSamples, type NewSample, sampleRetentionDays } from '../../compliance/index.ts';
import type { DigestCounts, DrillCounts } from '../collect/digest-contents.ts';
import { type Claim, type Digest, type DigestPart, type DigestSettings, isDue } from '../digest.ts';
import { digestFamily, digests, settingsColumns } from './digest-kind.ts';

export type NewDigest = NewSubscription &
  Pick<Digest, 'settings' | 'nextRunAt' | 'coveredUntil'> & {
    /** The view whose submission creates it: the same view creates one digest. */
    sourceViewId: string;
  };

/** Undefined if the workspace has a digest of the same view. */
export function insertDigest(
  trx: Transaction<Tables>,
  digest: NewDigest,
): Promise<Digest | undefined> {
  return digests.insert(trx, digest, {
    ...settingsColumns(digest.settings),
    source_view_id: digest.sourceViewId,
    next_run_at: digest.nextRunAt,
    covered_until: digest.coveredUntil,
  });
}

/**
 * Changing a digest that is due doesn't cancel it: it runs at once with the new settings, and a run in
 * progress loses its lease and can't finish. `before` is locked.
 */
export function changeDigest(
  trx: Transaction<Tables>,
  before: Digest,
  { settings, createdBy, by, at }: Pick<Digest, 'settings' | 'createdBy'> & ChangedBy,
): Promise<Digest | undefined> {
  const isDueNow = isDue(before, at);
  return digests.change(trx, before, {
    ...settingsColumns(settings),
    created_by: createdBy,
    changed_by: by,
    next_run_at: isDueNow ? at : nextRun(settings, at),
    postponed_from: isDueNow ? before.dueAt : null,
    version: sql`version + 1`,
    ...released,
    attempts: 0,
  });
}

type DigestChange = ChangedBy & {
  settings: DigestSettings;
  /** The version that filled the person's form. */
  basedOn: number;
};

/** What a run of a digest has reported. */
export type DigestRun = {
  at: Date;
  since: Date;
  /** Undefined if the service could not be read: the next digest covers the same period again. */
  report: { connectionId: string; counts: DigestCounts; samples: NewSample[] } | undefined;
  /** Undefined if there is nothing to post. */
  outgoing: Outgoing | undefined;
  nextRunAt: Date;
};

const countsColumn = z.object({ policies: z.number().optional() });

/** A digest that this process runs now. */
type LeasedDigest = {
  id: string;
  teamId: string;
  /** One that can't be read is not due again for a while. @throws {UnreadableRowError} */
  read: () => Promise<Claim>;
};

export type DigestStore = ReturnType<typeof createDigestStore>;

export function createDigestStore(
  db: Database,
  { enqueueMessages, isServed }: { enqueueMessages: EnqueueNamed; isServed: ServedTeams },
) {
  const { announce, create, shared } = createSubscriptionStore(db, digests, {
    family: digestFamily,
    enqueueMessages,
  });
  return {
    ...shared,

    /** `max` is how many digests a channel may have. */
    create: (digest: NewDigest, { max }: { max: number }) =>
      db.transaction().execute((trx) => {
        const same = { where: sql<SqlBool>`source_view_id = ${digest.sourceViewId}` };
        return create(trx, digest, { same, max }, () => insertDigest(trx, digest));
      }),

    /** Undefined if the digest is gone; unchanged if somebody changed it since `basedOn`. */
    change: (
      ref: Ref,
      { basedOn, settings, by, at }: DigestChange,
    ): Promise<{ result: 'changed' | 'changed-meanwhile'; digest: Digest } | undefined> =>
      db.transaction().execute(async (trx) => {
        const before = await digests.findLocked(trx, ref);
        if (!before) return undefined;
        if (before.version !== basedOn) return { result: 'changed-meanwhile', digest: before };
        const { createdBy } = before;
        const digest = await changeDigest(trx, before, { settings, createdBy, by, at });
        if (!digest) return undefined;
        await announce(trx, digest, 'changed', { by, at, before });
        return { result: 'changed', digest };
      }),

    /**
     * Digests that are due and that no process runs. Those with fewer attempts come first, or two
     * tenants whose service hangs could occupy every worker; of these, the longest due.
     */
    async leaseDue(lease: Lease, limit: number): Promise<LeasedDigest[]> {
      const rows = await leaseRows(db, lease, {
        table: 'digest',
        key: ['id'],
        isServed,
        isDue: sql`next_run_at <= ${lease.at} and paused_at is null`,
        orderBy: ['attempts', 'next_run_at'],
        limit,
        set: sql`attempts = attempts + 1`,
      });
      return rows.map((row) => ({
        id: row.id,
        teamId: row.team_id,
        async read() {
          const digest = await readOrSetAside(row, lease);
          return { digest, holder: lease.holder, attempt: row.attempts };
        },
      }));
    },

    /**
     * Records the run, queues its message and sets the next time in one transaction. False, with nothing
     * done, if another process has taken over the lease or the digest was changed, paused or ended.
     */
    finish: ({ digest, holder }: Claim, run: DigestRun): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const { teamId } = digest;
        const { at, report, outgoing } = run;
        const finished = await trx
          .updateTable('digest')
          .set({
            next_run_at: run.nextRunAt,
            postponed_from: null,
            ...(report && { covered_until: at }),
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
            due_at: digest.dueAt,
            run_at: at,
            since: run.since,
            connection_id: report?.connectionId ?? null,
            counts: report ? JSON.stringify(report.counts) : null,
            subject: outgoing?.subject ?? null,
          })
          // A change of the schedule can make the same moment due twice.
          .onConflict((conflict) => conflict.columns(['digest_id', 'due_at']).doNothing())
          .execute();
        // Kept as long as compliance samples, with which digests compare them.
        await trx
          .deleteFrom('digest_run')
          .where('team_id', '=', teamId)
          .where('digest_id', '=', digest.id)
          .where('due_at', '<', subDays(at, sampleRetentionDays))
          .execute();
        if (report) {
          const { connectionId, samples } = report;
          await insertSamples(trx, { teamId, connectionId }, at, samples);
        }
        if (outgoing) await enqueueMessages(trx, destinationOf(digest), [outgoing], at);
        return true;
      }),

    /**
     * Whether the run at that moment, over that connection, reported that there are no policies: such a
     * run leaves no samples behind.
     */
    async reportedNoPolicies({
      teamId,
      digestId,
      connectionId,
      at,
    }: {
      teamId: string;
      digestId: string;
      connectionId: string;
      at: Date;
    }): Promise<boolean> {
      const run = await db
        .selectFrom('digest_run')
        .select('counts')
        .where('team_id', '=', teamId)
        .where('digest_id', '=', digestId)
        .where('connection_id', '=', connectionId)
        .where('run_at', '=', at)
        .executeTakeFirst();
      return countsColumn.nullish().parse(run?.counts)?.policies === 0;
    },

    /** Of one connection. */
    readUnreviewed: (of: OriginRef): Promise<UnreviewedRuns> => readUnreviewed(db, of),

    /** How the restores of drills on a connection ended, after `since` until `now`. */
    async countDrills({
      teamId,
      originId,
      since,
      now,
    }: OriginRef & { since: Date; now: Date }): Promise<DrillCounts> {
      const { rows } = await sql<{ state: keyof DrillCounts; count: number }>`
        select state, count(*)::integer as count from restore_drill_run run
        where team_id = ${teamId} and finished_at > ${since} and finished_at <= ${now}
          and exists (select 1 from restore_drill
            where id = run.drill_id and ${isOnConnection('restore_drill', { teamId, originId })})
        group by state`.execute(db);
      const counts = Object.fromEntries(rows.map(({ state, count }) => [state, count]));
      return { restored: 0, failed: 0, unknown: 0, ...counts };
    },

    async countMuted({
      teamId,
      channelId,
      since,
      now,
    }: Channel & { since: Date; now: Date }): Promise<number> {
      const { rows } = await sql<{ count: number }>`
        select count(distinct alert_key)::integer as count
        from watched_alert join watch on watch.id = watch_id
        where team_id = ${teamId} and channel_id = ${channelId} and muted_by is not null
          and held_at > ${since} and held_at <= ${now}`.execute(db);
      return rows[0]?.count ?? 0;
    },

    async countPendingRequests(of: OriginRef): Promise<number> {
      const { count } = await db
        .selectFrom('approval')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('team_id', '=', of.teamId)
        .where('connection_id', 'in', connectionIdsOf(of))
        .where('state', '=', 'pending')
        .executeTakeFirstOrThrow();
      return count;
    },
  };

  async function readOrSetAside(row: Row<'digest'>, { holder, at }: Lease): Promise<Digest> {
    try {
      return digests.read(row);
    } catch (error) {
      await db
        .updateTable('digest')
        .set({ lease_until: addMilliseconds(at, unreadableRetryMs) })
        .where('team_id', '=', row.team_id)
        .where('id', '=', row.id)
        .where(isHeldBy(holder))
        .execute();
      throw error;
    }
  }
}

const policiesPart: DigestPart = 'policies';

/** When the digest became due that has waited longest for a process, if one waits. */
export async function readOldestDueDigest(
  db: Database,
  at: Date,
  isServed: ServedTeams,
): Promise<Date | undefined> {
  const row = await db
    .selectFrom('digest')
    .select('next_run_at')
    .where('next_run_at', '<=', at)
    .where('paused_at', 'is', null)
    .where(isUnleased('lease_until', at))
    .where(isServed('digest.team_id'))
    .orderBy('next_run_at')
    .limit(1)
    .executeTakeFirst();
  return row?.next_run_at;
}

/** Whether a digest includes the policy changes of a connection, in a query that selects from `connection`. */
export const isReportingPolicies: RawBuilder<SqlBool> = sql<SqlBool>`exists (
  select 1 from digest
  where digest.team_id = connection.team_id and digest.paused_at is null
    and digest.parts @> ${JSON.stringify([policiesPart])}::jsonb
    and ${originOf('digest')} = connection.origin_id)`;
