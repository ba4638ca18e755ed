import type { Transaction } from 'kysely';
import type { OriginRef } from '../database/connection-origin.ts';
import type { Tables } from '../database/tables.ts';
import { ExplainedError } from '../explained-error.ts';

class ConnectionRemovedError extends ExplainedError {
  override name = 'ConnectionRemovedError';

  constructor() {
    super(
      'the connection was just removed',
      'An admin just removed this connection. Nothing was added. Run the command again to use another connection.',
    );
  }
}

/**
 * Locked, so that removing the connection waits, and then ends what this transaction adds. Without an
 * origin, the workspace has no connection yet.
 *
 * @throws {ConnectionRemovedError}
 */
export async function lockConnection(
  trx: Transaction<Tables>,
  { teamId, originId }: OriginRef,
): Promise<void> {
  if (originId === undefined) return;
  const inUse = await trx
    .selectFrom('connection')
    .select('id')
    .where('team_id', '=', teamId)
    .where('origin_id', '=', originId)
    .where('replaced_at', 'is', null)
    .forKeyShare()
    .executeTakeFirst();
  if (!inUse) throw new ConnectionRemovedError();
}
