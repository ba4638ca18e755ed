import type { Transaction } from 'kysely';
import type { AppendToLog } from '../../../audit-log/append.ts';
import type { LogEvent } from '../../../audit-log/entry.ts';
import type { Tables } from '../../../database/tables.ts';
import type { Approval } from '../approval.ts';
import type { ApprovalRef } from '../approval-store.ts';
import { type ApprovalRow, type EntryDetail, entryFor, toApproval } from './approval-row.ts';

type Trx = Transaction<Tables>;

/** What must commit together with a change of a row. */
export type TransactionHooks = {
  append: AppendToLog;
  /** Enqueues the jobs that follow from the row as it now is. */
  follow: (trx: Trx, approval: Approval) => Promise<void>;
};

/** Every change of one row's state goes through here: it counts, and happens only from `from`. */
export function changeFrom(trx: Trx, { teamId, id }: ApprovalRef, from: Approval['state'][]) {
  return trx
    .updateTable('approval')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .where('state', 'in', from)
    .returningAll();
}

/** What every change of state ends with: its jobs and its entry in the log, which is locked last. */
export async function follows(
  trx: Trx,
  row: ApprovalRow,
  event: LogEvent,
  detail: EntryDetail,
  { append, follow }: TransactionHooks,
): Promise<Approval> {
  const approval = toApproval(row);
  await follow(trx, approval);
  await append(trx, entryFor(row, event, detail));
  return approval;
}
