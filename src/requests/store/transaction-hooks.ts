import type { ExpressionBuilder, Transaction } from 'kysely';
import type { AppendEntry } from '../../audit-log/append.ts';
import type { Database, Tables } from '../../database/tables.ts';
import { currentTraceparent } from '../../tracing.ts';
import type { Approval } from '../approval.ts';

/** What commits together with a change of a row. */
export type TransactionHooks = {
  append: AppendEntry;
  /** For every change that people see. */
  onChanged: (trx: Transaction<Tables>, approval: Approval) => Promise<void>;
  /** For requests that will not run anymore, for any reason. */
  onEnded: (trx: Transaction<Tables>, approval: Approval) => Promise<void>;
};

/** `onCommitted`: called with the rows that a transaction has changed. */
export type StoreHooks = TransactionHooks & {
  onCommitted?: ((changed: Approval[]) => void) | undefined;
};

/** Runs a transaction that may change requests, with the hooks for it. */
export async function changeRequests<Result>(
  db: Database,
  { onCommitted, ...hooks }: StoreHooks,
  change: (trx: Transaction<Tables>, hooks: TransactionHooks) => Promise<Result>,
): Promise<Result> {
  const changed: Approval[] = [];
  const result = await db.transaction().execute((trx) =>
    change(trx, {
      ...hooks,
      async onChanged(_, approval) {
        changed.push(approval);
        await hooks.onChanged(trx, approval);
      },
    }),
  );
  if (changed.length > 0) onCommitted?.(changed);
  return result;
}

/** What every change of a row sets: its version, and the trace that continues with what it makes due. */
export function nextVersion(eb: ExpressionBuilder<Tables, 'approval'>) {
  return { version: eb('version', '+', 1), traceparent: currentTraceparent() ?? null };
}
