import { randomUUID } from 'node:crypto';
import { type SqlBool, sql } from 'kysely';
import {
  parseEach,
  type UnreadableRowError,
  unreadableRetryMs,
} from '../../../database/parse-rows.ts';
import type { ServedTeams } from '../../../database/served-teams.ts';
import type { Database } from '../../../database/tables.ts';
import { addMilliseconds } from '../../../dates.ts';
import type { Row } from '../../../subscriptions/define-subscription.ts';
import { createSubscriptionStore } from '../../../subscriptions/store.ts';
import type { NewSubscription } from '../../../subscriptions/subscription.ts';
import type { EnqueueNamed } from '../../../workspace/enqueue-named.ts';
import {
  type Drill,
  type DrillPlan,
  maxDrillsPerChannel,
  nextDrillRun,
  volumeColumns,
} from '../drill.ts';
import { drillFamily, drills } from './drill-kind.ts';

type NewDrill = NewSubscription & { plan: DrillPlan };

export type DrillStore = ReturnType<typeof createDrillStore>;

/** The drills of channels. */
export function createDrillStore(
  db: Database,
  { enqueueMessages, isServed }: { enqueueMessages: EnqueueNamed; isServed: ServedTeams },
) {
  const { create, shared } = createSubscriptionStore(db, drills, {
    family: drillFamily,
    enqueueMessages,
  });
  return {
    ...shared,

    add: (drill: NewDrill) =>
      db.transaction().execute((trx) => {
        const limits = {
          same: { where: sql<SqlBool>`id = ${drill.id}` },
          max: maxDrillsPerChannel,
        };
        return create(trx, drill, limits, () =>
          drills.insert(trx, drill, {
            plan: JSON.stringify(drill.plan),
            next_run_at: nextDrillRun(drill.plan.schedule, drill.at),
          }),
        );
      }),

    /**
     * Adds the runs of drills that are due, which no other process does then. A drill that was missed,
     * however often, runs once; one whose last runs are still in progress waits for them. Returns those
     * that can't be read.
     */
    startDue: (at: Date, limit: number): Promise<UnreadableRowError[]> =>
      db.transaction().execute(async (trx) => {
        const { rows } = await sql<Row<'restore_drill'>>`
          select * from restore_drill
          where next_run_at <= ${at} and paused_at is null and ended_at is null
            and ${isServed('restore_drill.team_id')}
            and not exists (select 1 from restore_drill_run run
              where run.drill_id = restore_drill.id and run.check_at is not null)
          order by next_run_at limit ${limit} for update skip locked`.execute(trx);
        const { parsed, unreadable } = parseEach(rows, drills.read);
        const move = ({ teamId, id }: Pick<Drill, 'teamId' | 'id'>, next: Date) =>
          trx
            .updateTable('restore_drill')
            .set({ next_run_at: next })
            .where('team_id', '=', teamId)
            .where('id', '=', id)
            .execute();
        for (const drill of parsed) {
          await trx
            .insertInto('restore_drill_run')
            .values(newRuns(drill, at))
            .onConflict((conflict) => conflict.doNothing())
            .execute();
          await move(drill, nextDrillRun(drill.plan.schedule, at));
        }
        for (const { row } of unreadable) {
          const { id, teamId = '' } = row;
          await move({ id, teamId }, addMilliseconds(at, unreadableRetryMs));
        }
        return unreadable;
      }),
  };
}

function newRuns({ id, teamId, plan: { source }, nextRunAt }: Drill, at: Date) {
  const volumes = 'volumes' in source ? source.volumes : [{ id: '', name: '' }];
  return volumes.map((volume) => ({
    id: randomUUID(),
    team_id: teamId,
    drill_id: id,
    due_at: nextRunAt,
    ...volumeColumns(volume),
    state: 'due' as const,
    created_at: at,
    check_at: at,
  }));
}
