import type { Database } from '../../database/tables.ts';
import type { Approval, ApprovalRef } from '../approval.ts';
import { endings } from '../approval-state.ts';
import { toApproval } from '../store/approval-row.ts';
import { recordChange, stepFacts, updateRows } from '../store/change-approval.ts';
import { changeRequests, nextVersion, type StoreHooks } from '../store/transaction-hooks.ts';
import { bulkStateOf, type ChildProgress, tallyOf } from './tally.ts';

type Change = ApprovalRef & { at: Date };

/** The statements about a bulk request that was approved, and its requests for single subjects. */
export function createBulkStore(db: Database, storeHooks: StoreHooks) {
  return {
    /** Counts the results of a bulk request, which ends once all its subjects have. */
    tally: ({ teamId, id, at }: Change): Promise<Approval | undefined> =>
      changeRequests(db, storeHooks, async (trx, hooks) => {
        const parent = await trx
          .selectFrom('approval')
          .selectAll()
          .where('team_id', '=', teamId)
          .where('id', '=', id)
          .where('tally', 'is not', null)
          .where('state', 'in', ['approved', 'scheduled', 'outcome_unknown'])
          // Another process may have counted them since.
          .where('wake_at', '<=', at)
          .forUpdate()
          .executeTakeFirst();
        if (!parent) return undefined;
        const children = await trx
          .selectFrom('approval')
          .selectAll()
          .where('team_id', '=', teamId)
          .where('parent_id', '=', id)
          .execute();
        const tally = tallyOf(children.map(toApproval).map(countedOf));
        const state = bulkStateOf(tally);
        const isEnd = state !== 'approved' && state !== 'scheduled';
        const row = await trx
          .updateTable('approval')
          .set((eb) => ({
            state,
            tally: JSON.stringify(tally),
            wake_at: null,
            finished_at: isEnd ? at : null,
            ...nextVersion(eb),
          }))
          .where('team_id', '=', teamId)
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirstOrThrow();
        if (isEnd && parent.state !== state) {
          const { nextAt: _, ...counts } = tally;
          const facts = { ...stepFacts(row), ...counts };
          return recordChange(trx, row, endings[state], { at, facts }, hooks);
        }
        await hooks.onChanged(trx, toApproval(row));
        return toApproval(row);
      }),

    /** The requests of a bulk request for single subjects. */
    async listChildren({ teamId, id }: ApprovalRef): Promise<Approval[]> {
      const rows = await db
        .selectFrom('approval')
        .selectAll()
        .where('team_id', '=', teamId)
        .where('parent_id', '=', id)
        .orderBy('id')
        .execute();
      return rows.map(toApproval);
    },

    /** Approves the step that cancels for every subject whose scheduled step is not yet due. */
    cancelAllScheduled: ({
      by,
      step,
      at,
      teamId,
      id,
    }: Change & { by: string; step: string }): Promise<Approval | undefined> =>
      changeRequests(db, storeHooks, async (trx, hooks) => {
        const rows = await updateRows(trx, 'requestCancellation', teamId)
          .set({ step, canceled_by: by, attempts: 0, wake_at: at })
          .where('parent_id', '=', id)
          .where('wake_at', '>', at)
          .execute();
        if (rows.length === 0) return undefined;
        const parent = await trx
          .updateTable('approval')
          .set((eb) => ({ canceled_by: by, wake_at: at, ...nextVersion(eb) }))
          .where('team_id', '=', teamId)
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirstOrThrow();
        await hooks.onChanged(trx, toApproval(parent));
        for (const row of rows)
          await recordChange(trx, row, 'requestCancellation', { at, actor: by }, hooks);
        return toApproval(parent);
      }),
  };
}

function countedOf({ state, wakeAt, sent = [] }: Approval): ChildProgress {
  return { state, wakeAt, isSent: sent.length > 0 };
}
