import { sql, type Updateable } from 'kysely';
import type { AppendEntry } from '../../../audit-log/append.ts';
import type { AuditEntry, AuditEvent } from '../../../audit-log/entry.ts';
import type { OnConnection } from '../../../database/connection-origin.ts';
import { isHeldBy, type Lease, leaseRows, released } from '../../../database/leases.ts';
import type { ServedTeams } from '../../../database/served-teams.ts';
import type { Database } from '../../../database/tables.ts';
import type { Message } from '../../../slack/ui/blocks.ts';
import { destinationOf } from '../../../subscriptions/store.ts';
import type { EnqueueNamed } from '../../../workspace/enqueue-named.ts';
import { type Drill, type DrillResult, type DrillRun, secondsBetween } from '../drill.ts';
import { drills } from './drill-kind.ts';
import type { DrillTables } from './tables.ts';

/** A run that this process works on now; no other does until its lease ends. */
export type LeasedRun = { teamId: string; holder: string; run: DrillRun };

type Columns = Updateable<DrillTables['restore_drill_run']>;

/** The names of the events are those of requests: a run is an approved change. */
const events: Record<DrillResult, AuditEvent> = {
  restored: 'completed',
  failed: 'failed',
  unknown: 'outcome_unknown',
};

export type DrillRuns = ReturnType<typeof createDrillRuns>;

/** The runs of drills: each is sent once, and each end is posted and logged once. */
export function createDrillRuns(
  db: Database,
  {
    enqueueMessages,
    append,
    isServed,
  }: { enqueueMessages: EnqueueNamed; append: AppendEntry; isServed: ServedTeams },
) {
  /** Undefined if another process has taken over. */
  const change = (
    trx: Pick<Database, 'updateTable'>,
    { teamId, holder, run: { id, state } }: LeasedRun,
    columns: Columns,
  ): Promise<DrillRun | undefined> =>
    trx
      .updateTable('restore_drill_run')
      .set(columns)
      .where('team_id', '=', teamId)
      .where('id', '=', id)
      .where('state', '=', state)
      .where(isHeldBy(holder))
      .returningAll()
      .executeTakeFirst();

  return {
    /**
     * Those that are due for a look, and that no process works on. A run of a paused drill from which
     * nothing was sent waits until the drill is resumed.
     */
    async lease(lease: Lease, limit: number): Promise<LeasedRun[]> {
      const rows = await leaseRows(db, lease, {
        table: 'restore_drill_run',
        key: ['id'],
        isServed,
        isDue: sql`check_at <= ${lease.at} and (state <> 'due' or not exists (
          select 1 from restore_drill drill
          where drill.team_id = restore_drill_run.team_id
            and drill.id = restore_drill_run.drill_id and drill.paused_at is not null))`,
        orderBy: ['check_at'],
        limit,
      });
      return rows.map((run) => ({ teamId: run.team_id, holder: lease.holder, run }));
    },

    /** The drill of a run, also if it has ended. @throws {UnreadableRowError} */
    async readDrill({ teamId, run }: LeasedRun): Promise<Drill> {
      const row = await db
        .selectFrom('restore_drill')
        .selectAll()
        .where('team_id', '=', teamId)
        .where('id', '=', run.drill_id)
        .executeTakeFirstOrThrow();
      return drills.read(row);
    },

    change: (leased: LeasedRun, columns: Columns) => change(db, leased, columns),

    /** Records that the restore of a backup is about to be sent. False if another process has taken over. */
    markSent: (
      leased: LeasedRun,
      backup: { id: string; at: Date | undefined },
      at: Date,
    ): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const sent = { state: 'sent', sent_at: at } as const;
        const columns = { ...sent, backup_id: backup.id, backup_at: backup.at ?? null };
        const run = await change(trx, leased, columns);
        if (run) await append(trx, entryOf(run, 'started', at));
        return run !== undefined;
      }),

    /**
     * Makes a run due again whose restore the service certainly didn't accept. The audit log has `started`
     * for each attempt, as with requests.
     */
    markUnsent: (leased: LeasedRun): Promise<DrillRun | undefined> =>
      change(db, leased, { state: 'due', sent_at: null, backup_id: null, backup_at: null }),

    /** Recorded even if the lease has ended: otherwise only the tag leads to the volume. */
    async recordTask({ teamId, run }: LeasedRun, taskId: string): Promise<void> {
      await db
        .updateTable('restore_drill_run')
        .set({ task_id: taskId })
        .where('team_id', '=', teamId)
        .where('id', '=', run.id)
        .execute();
    },

    /** Records how it ended, and queues its message. Does nothing if another process has taken over. */
    finish: (
      leased: LeasedRun,
      outcome: Pick<Columns, 'detail' | 'took_seconds' | 'new_volume_id'> & { state: DrillResult },
      { drill, at, render }: { drill: Drill; at: Date; render: (run: DrillRun) => Message },
    ): Promise<void> =>
      db.transaction().execute(async (trx) => {
        const ended = { finished_at: at, check_at: null, ...released };
        const run = await change(trx, leased, { ...outcome, ...ended });
        if (!run) return;
        const outgoing = { subject: `drill:run:${run.id}`, message: render(run) };
        await enqueueMessages(trx, destinationOf(drill), [outgoing], at);
        await append(trx, entryOf(run, events[outcome.state], at));
      }),

    /** When each volume of the connection was last tried, by the service's id. */
    async readLastTried({ teamId, originId }: OnConnection): Promise<Map<string, Date>> {
      const { rows } = await sql<{ volume_id: string; at: Date }>`
        select run.volume_id, max(run.created_at) as at
        from restore_drill_run run join restore_drill drill on drill.id = run.drill_id
        where run.team_id = ${teamId} and drill.connection_origin_id = ${originId}
          and run.finished_at is not null
        group by run.volume_id`.execute(db);
      return new Map(rows.map(({ volume_id, at }) => [volume_id, at]));
    },

    /** The runs on the connection whose task is in progress, the oldest first. */
    listInProgress: ({ teamId, originId }: OnConnection): Promise<DrillRun[]> =>
      db
        .selectFrom('restore_drill_run as run')
        .innerJoin('restore_drill as drill', 'drill.id', 'run.drill_id')
        .selectAll('run')
        .where('run.team_id', '=', teamId)
        .where('drill.connection_origin_id', '=', originId)
        .where('run.finished_at', 'is', null)
        .where('run.task_id', 'is not', null)
        .orderBy('run.sent_at')
        .execute(),

    /** A page of the runs on a connection that have ended, newest first, and how many there are. */
    async list(
      { teamId, originId }: OnConnection,
      { start, perPage }: { start: number; perPage: number },
    ): Promise<{ runs: DrillRun[]; total: number }> {
      const query = db
        .selectFrom('restore_drill_run as run')
        .innerJoin('restore_drill as drill', 'drill.id', 'run.drill_id')
        .where('run.team_id', '=', teamId)
        .where('drill.connection_origin_id', '=', originId)
        .where('run.finished_at', 'is not', null);
      const { total } = await query
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      const newest = query.selectAll('run').orderBy('run.finished_at', 'desc').orderBy('run.id');
      return { runs: await newest.offset(start).limit(perPage).execute(), total };
    },
  };
}

function entryOf(run: DrillRun, event: AuditEvent, at: Date): AuditEntry {
  const { backup_id: backup, backup_at: from, sent_at: to, took_seconds: tookSeconds } = run;
  return {
    teamId: run.team_id,
    at,
    event,
    action: 'drills.run',
    subjectId: run.volume_id || undefined,
    personal: { subject: run.volume_name },
    facts: {
      drill: run.drill_id,
      run: run.id,
      ...(backup && { backup }),
      ...(from && to && { dataAgeSeconds: secondsBetween(from, to) }),
      ...(tookSeconds !== null && { tookSeconds }),
    },
  };
}

/** The channels with drills of which the last restore of some volumes didn't complete, and of how many. */
export async function listFailedDrills(
  db: Database,
  teamId: string,
): Promise<{ channelId: string; count: number }[]> {
  const { rows } = await sql<{ channelId: string; count: number }>`
    select channel_id as "channelId", count(*)::integer as count from (
      select distinct on (run.drill_id, run.volume_id) drill.channel_id, run.state
      from restore_drill drill join restore_drill_run run on run.drill_id = drill.id
      where drill.team_id = ${teamId} and drill.ended_at is null and run.finished_at is not null
      order by run.drill_id, run.volume_id, run.finished_at desc
    ) last where state <> 'restored' group by channel_id`.execute(db);
  return rows;
}
