import type { Transaction } from 'kysely';
import type { Destination, Outgoing, Queued } from '../features/delivery/delivery.ts';
import type { Tables } from './tables.ts';

/** Queues messages in the transaction that makes true what they tell. */
export type QueueOutgoing = (
  trx: Transaction<Tables>,
  to: Destination,
  outgoing: Outgoing[],
  at: Date,
) => Promise<Queued[]>;
