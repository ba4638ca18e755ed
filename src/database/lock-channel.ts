import { sql, type Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/**
 * Until the transaction ends, no other one that locks the same `what` of the channel continues. Take it
 * before counting rows against a limit: otherwise two people at once could each see room for one more.
 */
export async function lockChannel(
  trx: Transaction<Tables>,
  what: 'digests' | 'watches',
  { teamId, channelId }: { teamId: string; channelId: string },
): Promise<void> {
  const name = `${what}:${teamId}:${channelId}`;
  await sql`select pg_advisory_xact_lock(hashtext(${name}))`.execute(trx);
}
