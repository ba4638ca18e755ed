import type { Lease } from '../../../database/leases.ts';
import type { ServedTeams } from '../../../database/served-teams.ts';
import type { Database } from '../../../database/tables.ts';
import { purgeTables } from '../../../database/team-purge.ts';
import type { OutboxHandlers } from '../handlers.ts';
import { type AbandonOptions, abandon } from './abandon.ts';
import {
  type LeasedChannel,
  leaseChannels,
  pauseEdits,
  postpone,
  releaseUntil,
} from './channels.ts';
import { readQueue } from './queue.ts';
import { createOutcomeStore } from './record-outcome.ts';

export type OutboxStore = ReturnType<typeof createOutboxStore>;

/**
 * The outbox for the process that delivers. `handlers` are the features that post through it: they
 * are called in this order, and locks are taken in it.
 */
export function createOutboxStore(db: Database, handlers: OutboxHandlers[], isServed: ServedTeams) {
  return {
    ...createOutcomeStore(db, handlers, isServed),
    leaseChannels: (lease: Lease, limit: number) => leaseChannels(db, lease, { limit, isServed }),
    readQueue: (channel: LeasedChannel) => readQueue(db, channel),
    releaseUntil: (channel: LeasedChannel, until: Parameters<typeof releaseUntil>[2]) =>
      releaseUntil(db, channel, until),
    postpone: (channel: LeasedChannel, until: Parameters<typeof postpone>[2]) =>
      postpone(db, channel, until),
    pauseEdits: (teamId: string, until: Date) => pauseEdits(db, teamId, until),
    abandon: (channel: LeasedChannel, options: AbandonOptions) =>
      abandon(db, handlers, channel, options),
  };
}

/** Everything that waits or was sent: nothing is posted, edited or counted any more. */
export const purgeOutbox = purgeTables('delivery_message', 'delivery_summary', 'delivery_channel');
