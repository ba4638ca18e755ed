import { sql, type Transaction } from 'kysely';
import { setupChangeAction } from '../../audit-log/registry.ts';
import type { Tables } from '../../database/tables.ts';
import { toApproval, withRuns } from './approval-row.ts';
import { nextVersion, type TransactionHooks } from './transaction-hooks.ts';

/**
 * Publishes pending requests again whose connection has another name by now, which another connection
 * may have taken, or that name none because it was the only one.
 */
export function createNameConnections({ onChanged }: Pick<TransactionHooks, 'onChanged'>) {
  return async (trx: Transaction<Tables>, teamId: string): Promise<void> => {
    const rows = await trx
      .updateTable('approval')
      .from('connection')
      .set((eb) => ({ connection_name: eb.ref('connection.name'), ...nextVersion(eb) }))
      .whereRef('connection.id', '=', 'approval.connection_id')
      .where('approval.team_id', '=', teamId)
      .where('approval.state', '=', 'pending')
      // What changes the setup names the connections that it is about.
      .where('approval.action', '<>', setupChangeAction)
      .where(sql<boolean>`approval.connection_name is distinct from connection.name`)
      .where(({ eb, or, exists, selectFrom }) =>
        or([
          eb('approval.connection_name', 'is not', null),
          exists(
            selectFrom('connection as other')
              .select('other.id')
              .where('other.team_id', '=', teamId)
              .where('other.replaced_at', 'is', null)
              .whereRef('other.id', '<>', 'connection.id'),
          ),
        ]),
      )
      .returningAll('approval')
      .returning(withRuns)
      .execute();
    for (const row of rows) await onChanged(trx, toApproval(row));
  };
}

/** Publishes the team's pending requests again, because the approvers that they name have changed. */
export function createRepublishPending({ onChanged }: Pick<TransactionHooks, 'onChanged'>) {
  return async (trx: Transaction<Tables>, teamId: string): Promise<void> => {
    const rows = await trx
      .updateTable('approval')
      .set(nextVersion)
      .where('team_id', '=', teamId)
      .where('state', '=', 'pending')
      .returningAll()
      .returning(withRuns)
      .execute();
    for (const row of rows) await onChanged(trx, toApproval(row));
  };
}
