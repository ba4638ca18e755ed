import type { Transaction } from 'kysely';
import type { Tables } from '../../../database/tables.ts';

/** Ends the backoff of polls that failed, because a connection may have a token that works again. */
export async function pollAtOnce(
  trx: Transaction<Tables>,
  { teamId, at }: { teamId: string; at: Date },
): Promise<void> {
  await trx
    .updateTable('alert_poll')
    .set({ next_poll_at: at })
    .where('team_id', '=', teamId)
    .where('failures', '>', 0)
    .where('next_poll_at', '>', at)
    .execute();
}
