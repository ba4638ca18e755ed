import type { Database } from '../../../database/open-database.ts';
import type { ApprovalStore, Ending } from '../approval-store.ts';
import { toApproval } from './approval-row.ts';
import { changeFrom, follows, type TransactionHooks } from './change-approval.ts';

type ExecutionStore = Pick<
  ApprovalStore,
  | 'keep'
  | 'postpone'
  | 'begin'
  | 'renew'
  | 'finish'
  | 'markOutcomeUnknown'
  | 'settle'
  | 'rescheduleCheck'
  | 'giveUp'
  | 'subjectsUnderWay'
  | 'findDue'
>;

/** How many are looked at in one sweep; the rest have their turn in the next. */
export const sweptAtOnce = 200;

/** The part of `ApprovalStore` that is about carrying out what was approved. */
export function createExecutionStore(db: Database, hooks: TransactionHooks): ExecutionStore {
  return {
    keep: ({ by, step, at, ...ref }) =>
      db.transaction().execute(async (trx) => {
        const row = await changeFrom(trx, ref, ['scheduled'])
          .set({ state: 'approved', step, canceled_by: by, attempts: 0, wake_at: at })
          .where('wake_at', '>', at)
          .executeTakeFirst();
        return row && follows(trx, row, 'keep_asked', { at, actor: by }, hooks);
      }),

    postpone: ({ at, wakeAt, ...ref }) =>
      db.transaction().execute(async (trx) => {
        const row = await changeFrom(trx, ref, ['scheduled'])
          .set({ wake_at: wakeAt })
          .where('wake_at', '<=', at)
          .executeTakeFirst();
        const facts = { step: row?.step ?? '', reason: 'late' };
        return row && follows(trx, row, 'scheduled', { at, facts }, hooks);
      }),

    begin: ({ lease, at, ...ref }) =>
      db.transaction().execute(async (trx) => {
        const row = await changeFrom(trx, ref, ['approved', 'scheduled', 'outcome_unknown'])
          .set((eb) => ({
            state: 'executing',
            lease_holder: lease.holder,
            wake_at: lease.until,
            begun_at: at,
            attempts: eb('attempts', '+', 1),
          }))
          .where('wake_at', '<=', at)
          .executeTakeFirst();
        const facts = { step: row?.step ?? '', attempt: row?.attempts ?? 0 };
        return row && follows(trx, row, 'started', { at, facts }, hooks);
      }),

    renew: ({ lease, teamId, id }) =>
      db.transaction().execute(async (trx) => {
        const row = await trx
          .updateTable('approval')
          .set({ wake_at: lease.until })
          .where('team_id', '=', teamId)
          .where('id', '=', id)
          .where('state', '=', 'executing')
          .where('lease_holder', '=', lease.holder)
          .returningAll()
          .executeTakeFirst();
        // The job that came with the lease will find it longer than it was, and be gone.
        if (row) await hooks.follow(trx, toApproval(row));
        return row !== undefined;
      }),

    finish: ({ holder, ...ending }) =>
      db.transaction().execute(async (trx) => {
        const row = await changeFrom(trx, ending, ['executing', 'outcome_unknown'])
          .set(endingColumns(ending))
          .where('lease_holder', '=', holder)
          .executeTakeFirst();
        return row && follows(trx, row, ending.to, endingTold(ending, row.step), hooks);
      }),

    settle: (ending) =>
      db.transaction().execute(async (trx) => {
        const row = await changeFrom(trx, ending, ['outcome_unknown'])
          .set(endingColumns(ending))
          .executeTakeFirst();
        return row && follows(trx, row, ending.to, endingTold(ending, row.step), hooks);
      }),

    markOutcomeUnknown: ({ outcome, at, wakeAt, ...ref }) =>
      db.transaction().execute(async (trx) => {
        const row = await changeFrom(trx, ref, ['executing'])
          .set({ state: 'outcome_unknown', outcome, finished_at: at, wake_at: wakeAt })
          .where('wake_at', '<=', at)
          .executeTakeFirst();
        const facts = { step: row?.step ?? '', reason: 'interrupted' };
        return row && follows(trx, row, 'outcome_unknown', { at, facts }, hooks);
      }),

    rescheduleCheck: ({ teamId, id, wakeAt }) =>
      db.transaction().execute(async (trx) => {
        const row = await trx
          .updateTable('approval')
          .set({ wake_at: wakeAt })
          .where('team_id', '=', teamId)
          .where('id', '=', id)
          .where('state', '=', 'outcome_unknown')
          .returningAll()
          .executeTakeFirst();
        if (row) await hooks.follow(trx, toApproval(row));
      }),

    giveUp: ({ at, ...ref }) =>
      db.transaction().execute(async (trx) => {
        const row = await changeFrom(trx, ref, ['outcome_unknown'])
          .set({ wake_at: null })
          .where('wake_at', 'is not', null)
          .executeTakeFirst();
        const facts = { step: row?.step ?? '', reason: 'given_up' };
        return row && follows(trx, row, 'outcome_unknown', { at, facts }, hooks);
      }),

    async subjectsUnderWay({ connectionId, id }) {
      const rows = await db
        .selectFrom('approval')
        .select('subject_id')
        .distinct()
        .where('connection_id', '=', connectionId)
        .where('id', '<>', id)
        .where('state', 'in', ['executing', 'outcome_unknown', 'scheduled'])
        // One that nobody looks into any more is for people to judge.
        .where('wake_at', 'is not', null)
        .execute();
      return rows.flatMap(({ subject_id }) => subject_id ?? []);
    },

    async findDue(at) {
      const rows = await db
        .selectFrom('approval')
        .select(['team_id', 'id'])
        .where('wake_at', '<=', at)
        .orderBy('wake_at')
        .limit(sweptAtOnce)
        .execute();
      return rows.map((row) => ({ teamId: row.team_id, id: row.id }));
    },
  };
}

function endingColumns(ending: Ending) {
  const { to, outcome, at } = ending;
  return {
    state: to,
    outcome,
    finished_at: at,
    wake_at: ending.wakeAt ?? null,
    ...(ending.to === 'scheduled' ? { step: ending.step, attempts: 0 } : {}),
  };
}

function endingTold({ at, outcome, objection }: Ending, step: string | null) {
  return {
    at,
    facts: { step: step ?? '', ...(objection && { reason: objection }) },
    // It may quote the service, which may name people.
    ...(outcome && { personal: { outcome } }),
  };
}
