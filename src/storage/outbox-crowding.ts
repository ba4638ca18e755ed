import type { Transaction } from 'kysely';
import type { Crowding } from '../features/delivery/choose-counted.ts';
import type { Destination, Outgoing } from '../features/delivery/delivery.ts';
import { countWaiting } from './outbox-rows.ts';
import { findCrowds } from './outbox-summaries.ts';
import type { Tables } from './tables.ts';

/** What the channel has already of the groups of these new ones. */
export async function readCrowding(
  trx: Transaction<Tables>,
  to: Destination,
  fresh: Outgoing[],
): Promise<Crowding> {
  const groups = [...new Set(fresh.flatMap(({ group }) => group?.key ?? []))];
  if (groups.length === 0) return { waiting: new Map(), crowdedAt: new Map() };
  return {
    crowdedAt: await findCrowds(trx, to, groups),
    waiting: await countWaiting(trx, to, groups),
  };
}
