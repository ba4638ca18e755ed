import type { Transaction } from 'kysely';
import type { AppendEntry } from '../../../audit-log/append.ts';
import type { AuditEvent } from '../../../audit-log/entry.ts';
import { type StopReason, stopReasons } from '../../../audit-log/registry.ts';
import type { Tables } from '../../../database/tables.ts';
import type { Approval, ApprovalRef } from '../approval.ts';
import { changesFrom } from '../approval-state.ts';
import { type ApprovalRow, type EntryDetail, entryFor, toApproval } from './approval-row.ts';

type Trx = Transaction<Tables>;

/** What commits together with a change of a row. */
export type TransactionHooks = {
  append: AppendEntry;
  /** Enqueues the jobs for the row as it now is. */
  enqueueJobs: (trx: Trx, approval: Approval) => Promise<void>;
};

/** Updates one row if its state allows the change. Every change of state counts in `version`. */
export function changeRow(
  trx: Trx,
  { teamId, id }: ApprovalRef,
  change: Exclude<keyof typeof changesFrom, 'voidWaiting'>,
) {
  return trx
    .updateTable('approval')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .where('state', 'in', changesFrom[change])
    .returningAll();
}

/** Ends every change of state: enqueues jobs, then appends to the audit log, whose lock comes last. */
export async function recordChange(
  trx: Trx,
  row: ApprovalRow,
  event: AuditEvent,
  detail: EntryDetail,
  { append, enqueueJobs }: TransactionHooks,
): Promise<Approval> {
  const approval = toApproval(row);
  await enqueueJobs(trx, approval);
  await append(trx, entryFor(row, event, detail));
  return approval;
}

/** The facts of an entry about a step, and why it stopped or waits. */
export function stepFacts(row: ApprovalRow | undefined, reason?: StopReason | undefined) {
  return { step: row?.step ?? '', ...(reason && { reason }) };
}

/**
 * Voids the team's requests that wait for a decision or for a scheduled step. Runs in the
 * transaction that replaces their connection.
 */
export function createVoidWaiting(hooks: TransactionHooks) {
  return async (
    trx: Trx,
    { teamId, by, at }: { teamId: string; by: string; at: Date },
  ): Promise<ApprovalRef[]> => {
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
      .where('state', 'in', changesFrom.voidWaiting)
      .returningAll()
      .execute();
    const facts = { reason: stopReasons.connectionReplaced.id };
    for (const row of rows) await recordChange(trx, row, 'voided', { at, actor: by, facts }, hooks);
    return rows.map((row) => ({ teamId, id: row.id }));
  };
}

/** Publishes the team's pending requests again, because the approvers that they name have changed. */
export function createRepublishPending({ enqueueJobs }: Pick<TransactionHooks, 'enqueueJobs'>) {
  return async (trx: Trx, teamId: string): Promise<void> => {
    const rows = await trx
      .updateTable('approval')
      .set((eb) => ({ version: eb('version', '+', 1) }))
      .where('team_id', '=', teamId)
      .where('state', '=', 'pending')
      .returningAll()
      .execute();
    for (const row of rows) await enqueueJobs(trx, toApproval(row));
  };
}
