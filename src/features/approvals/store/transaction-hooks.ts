import type { ExpressionBuilder, Transaction } from 'kysely';
import type { AppendEntry } from '../../../audit-log/append.ts';
import type { Database, Tables } from '../../../database/tables.ts';
import { currentTraceparent } from '../../../tracing.ts';
import type { Approval } from '../approval.ts';

/** What commits together with a change of a row. */
export type TransactionHooks = {
  append: AppendEntry;
  /** For every change that people see. */
  onChanged: (trx: Transaction<Tables>, approval: Approval) => Promise<void>;
  /** For requests that will not run anymore, for any reason. */
  onEnded: (trx: Transaction<Tables>, approval: Approval) => Promise<void>;
};

/** `onCommitted`: called after a transaction, when something may be due or a message outdated. */
export type StoreHooks = TransactionHooks & { onCommitted?: (() => void) | undefined };

/** Runs a transaction that may change requests. */
export async function changeRequests<Result>(
  db: Database,
  { onCommitted }: Pick<StoreHooks, 'onCommitted'>,
  change: (trx: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  const result = await db.transaction().execute(change);
  onCommitted?.();
  return result;
}

/** What every change of a row sets: its version, and the trace that continues with what it makes due. */
export function nextVersion(eb: ExpressionBuilder<Tables, 'approval'>) {
  return { version: eb('version', '+', 1), traceparent: currentTraceparent() ?? null };
}
