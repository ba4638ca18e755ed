import type { Transaction } from 'kysely';
import type { Tables } from '../../../database/tables.ts';
import type { ApprovalRef } from '../approval-store.ts';
import { toApproval } from './approval-row.ts';
import { follows, type TransactionHooks } from './change-approval.ts';

export type VoidWaiting = (
  trx: Transaction<Tables>,
  change: { teamId: string; by: string; at: Date },
) => Promise<ApprovalRef[]>;

/**
 * Voids what waits for a decision, or for its time, on a connection that is being replaced. Runs in
 * the transaction that replaces it.
 */
export function createVoidWaiting(hooks: TransactionHooks): VoidWaiting {
  return async (trx, { teamId, by, at }) => {
    const rows = await trx
      .updateTable('approval')
      .set((eb) => ({
        state: 'voided',
        outcome: 'The connection to the service was changed in setup.',
        finished_at: at,
        wake_at: null,
        version: eb('version', '+', 1),
      }))
      .where('team_id', '=', teamId)
      .where('state', 'in', ['pending', 'scheduled'])
      .returningAll()
      .execute();
    const facts = { reason: 'connection_changed' };
    for (const row of rows) await follows(trx, row, 'voided', { at, actor: by, facts }, hooks);
    return rows.map((row) => ({ teamId, id: row.id }));
  };
}

export type RedrawWaiting = (trx: Transaction<Tables>, teamId: string) => Promise<void>;

/** Has requests drawn anew that name those who may decide, because these have changed. */
export function createRedrawWaiting({ follow }: Pick<TransactionHooks, 'follow'>): RedrawWaiting {
  return async (trx, teamId) => {
    const rows = await trx
      .updateTable('approval')
      .set((eb) => ({ version: eb('version', '+', 1) }))
      .where('team_id', '=', teamId)
      .where('state', '=', 'pending')
      .returningAll()
      .execute();
    for (const row of rows) await follow(trx, toApproval(row));
  };
}
