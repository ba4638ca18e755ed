import type { ExpressionBuilder, Transaction } from 'kysely';
import type { AppendEntry } from '../../../audit-log/append.ts';
import type { Tables } from '../../../database/tables.ts';
import { currentTraceparent } from '../../../tracing.ts';
import type { Approval } from '../approval.ts';

/** What commits together with a change of a row. */
export type TransactionHooks = {
  append: AppendEntry;
  /** Enqueues the jobs for the row as it now is. */
  enqueueJobs: (trx: Transaction<Tables>, approval: Approval) => Promise<void>;
  /** For requests that will not run anymore, for any reason. */
  onEnded: (trx: Transaction<Tables>, approval: Approval) => Promise<void>;
};

/** What every change of a row sets: its version, and the trace that the sweep continues. */
export function nextVersion(eb: ExpressionBuilder<Tables, 'approval'>) {
  return { version: eb('version', '+', 1), traceparent: currentTraceparent() ?? null };
}
