import { type Selectable, sql } from 'kysely';
import type { AppendEntry } from '../../../audit-log/append.ts';
import type { AuditEvent } from '../../../audit-log/entry.ts';
import { isHeldBy, type Lease, leaseRows, released } from '../../../database/leases.ts';
import type { ServedTeams } from '../../../database/served-teams.ts';
import type { Database, Tables } from '../../../database/tables.ts';
import type { Message } from '../../../slack/ui/blocks.ts';
import { destinationOf } from '../../../subscriptions/store.ts';
import type { EnqueueNamed } from '../../../workspace/enqueue-named.ts';
import type { Drill, DrilledVolume, DrillOutcome, DrillResult, DrillRun } from '../drill.ts';
import { drills } from './drill-kind.ts';

/** A run that this process works on now; no other does until its lease ends. */
export type LeasedRun = {
  id: string;
  teamId: string;
  holder: string;
  /** @throws {UnreadableRowError} if its drill can't be read */
  read: () => Promise<{ run: DrillRun; drill: Drill }>;
};

type OnConnection = { teamId: string; originId: string };

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
  const held = (trx: Pick<Database, 'updateTable'>, { teamId, id, holder }: LeasedRun) =>
    trx
      .updateTable('restore_drill_run')
      .where('team_id', '=', teamId)
      .where('id', '=', id)
      .where(isHeldBy(holder));

  return {
    /** Those that are due for a look, and that no process works on. */
    async lease(lease: Lease, limit: number): Promise<LeasedRun[]> {
      const rows = await leaseRows(db, lease, {
        table: 'restore_drill_run',
        key: ['id'],
        isServed,
        isDue: sql`check_at <= ${lease.at}`,
        orderBy: ['check_at'],
        limit,
      });
      return rows.map((row) => ({
        id: row.id,
        teamId: row.team_id,
        holder: lease.holder,
        async read() {
          const drill = await db
            .selectFrom('restore_drill')
            .selectAll()
            .where('team_id', '=', row.team_id)
            .where('id', '=', row.drill_id)
            .executeTakeFirstOrThrow();
          return { run: toRun(row), drill: drills.read(drill) };
        },
      }));
    },

    /** Records that the restore is about to be sent. False if another process has taken over. */
    markSent: (
      leased: LeasedRun,
      {
        volume,
        backup,
        at,
      }: { volume: DrilledVolume; backup: NonNullable<DrillRun['backup']>; at: Date },
    ): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const marked = await held(trx, leased)
          .where('state', '=', 'due')
          .set({
            ...volumeColumns(volume),
            state: 'sent',
            backup_id: backup.id,
            backup_at: backup.at ?? null,
            sent_at: at,
          })
          .returning(['drill_id', 'id'])
          .executeTakeFirst();
        if (!marked) return false;
        const { teamId } = leased;
        const facts = { drill: marked.drill_id, run: marked.id, backup: backup.id };
        await append(trx, { teamId, at, event: 'started', ...subjectOf(volume), facts });
        return true;
      }),

    /** Whoever holds the lease now: without the task, only the tag would lead to the volume. */
    async recordTask({ teamId, id }: LeasedRun, taskId: string): Promise<void> {
      await db
        .updateTable('restore_drill_run')
        .set({ task_id: taskId })
        .where('team_id', '=', teamId)
        .where('id', '=', id)
        .where('task_id', 'is', null)
        .execute();
    },

    async postpone(leased: LeasedRun, until: Date): Promise<void> {
      await held(db, leased)
        .set({ check_at: until, ...released })
        .execute();
    },

    /** Records the end, and queues its message. Does nothing if another process has taken over. */
    finish: (
      leased: LeasedRun,
      {
        drill,
        volume,
        outcome,
        at,
        render,
      }: {
        drill: Drill;
        volume: DrilledVolume | undefined;
        outcome: DrillOutcome;
        at: Date;
        render: (run: DrillRun) => Message;
      },
    ): Promise<void> =>
      db.transaction().execute(async (trx) => {
        const { state, detail, tookMs, newVolumeId = null } = outcome;
        const row = await held(trx, leased)
          .set({
            ...(volume && volumeColumns(volume)),
            state,
            detail,
            took_seconds: tookMs === undefined ? null : Math.round(tookMs / 1000),
            new_volume_id: newVolumeId,
            finished_at: at,
            check_at: null,
            ...released,
          })
          .returningAll()
          .executeTakeFirst();
        if (!row) return;
        const run = toRun(row);
        const outgoing = { subject: `drill:run:${run.id}`, message: render(run) };
        await enqueueMessages(trx, destinationOf(drill), [outgoing], at);
        const { teamId, id, backup, sentAt, tookSeconds } = run;
        const facts = {
          drill: drill.id,
          run: id,
          ...(backup && { backup: backup.id }),
          ...(backup?.at && sentAt && { dataAgeSeconds: secondsBetween(backup.at, sentAt) }),
          ...(tookSeconds !== undefined && { tookSeconds }),
        };
        await append(trx, { teamId, at, event: events[state], ...subjectOf(run.volume), facts });
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
      const rows = await query
        .selectAll('run')
        .orderBy('run.finished_at', 'desc')
        .orderBy('run.id')
        .offset(start)
        .limit(perPage)
        .execute();
      return { runs: rows.map(toRun), total };
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

function volumeColumns({ id, name, nativeId }: DrilledVolume) {
  return { volume_id: id, volume_name: name, volume_native_id: nativeId ?? null };
}

function subjectOf(volume: DrilledVolume | undefined) {
  return {
    action: 'drills.run',
    ...(volume && { subjectId: volume.id, personal: { subject: volume.name } }),
  };
}

export function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, Math.round((to.getTime() - from.getTime()) / 1000));
}

export function toRun(row: Selectable<Tables['restore_drill_run']>): DrillRun {
  const { volume_id: volumeId, volume_native_id: nativeId } = row;
  return {
    id: row.id,
    drillId: row.drill_id,
    teamId: row.team_id,
    dueAt: row.due_at,
    volume: volumeId
      ? { id: volumeId, name: row.volume_name, nativeId: nativeId ?? undefined }
      : undefined,
    backup: row.backup_id ? { id: row.backup_id, at: row.backup_at ?? undefined } : undefined,
    state: row.state,
    createdAt: row.created_at,
    sentAt: row.sent_at ?? undefined,
    taskId: row.task_id ?? undefined,
    finishedAt: row.finished_at ?? undefined,
    tookSeconds: row.took_seconds ?? undefined,
    newVolumeId: row.new_volume_id ?? undefined,
    detail: row.detail ?? undefined,
  };
}
