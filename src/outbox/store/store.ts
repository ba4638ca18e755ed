import type { Database } from '../../database/open-database.ts';
import type { EnqueueMessages } from '../enqueue.ts';
import type { DeliveryStore } from '../outbox-store.ts';
import { createAbandon } from './abandon.ts';
import { createClaimStore } from './claims.ts';
import { createSettlingStore } from './settling.ts';
import { createReadWaiting } from './waiting.ts';

/** The outbox as it looks to whoever sends what waits in it. */
export function createDeliveryStore(
  db: Database,
  hooks: { enqueueMessages: EnqueueMessages },
): DeliveryStore {
  return {
    ...createClaimStore(db),
    ...createSettlingStore(db),
    abandon: createAbandon(db, hooks),
    readWaiting: createReadWaiting(db),
  };
}
