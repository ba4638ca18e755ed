import type { Transaction } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import type { Crowding } from '../choose-counted.ts';
import type { Destination, Outgoing } from '../message.ts';
import { countWaiting } from './rows.ts';
import { findCrowds } from './summaries.ts';

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
