import type { DeliveryStore } from '../features/delivery/delivery-store.ts';
import type { Database } from './open-database.ts';
import type { QueueOutgoing } from './outbox.ts';
import { createAbandon } from './outbox-abandoning.ts';
import { createClaimStore } from './outbox-claims.ts';
import { createSettlingStore } from './outbox-settling.ts';
import { createReadWaiting } from './outbox-waiting.ts';

/** The outbox as it looks to whoever sends what waits in it. */
export function createDeliveryStore(
  db: Database,
  companions: { queueOutgoing: QueueOutgoing },
): DeliveryStore {
  return {
    ...createClaimStore(db),
    ...createSettlingStore(db),
    abandon: createAbandon(db, companions),
    readWaiting: createReadWaiting(db),
  };
}
