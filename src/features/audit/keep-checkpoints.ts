import type { Clock } from '../../clock.ts';
import type { CheckpointStore } from './store/checkpoint-store.ts';

/**
 * Wraps `write`, which writes the checkpoints that are missing: records whether it worked, so that the
 * approvals channels are notified of a long outage and of its end. Call it every second.
 * @throws what `write` throws.
 */
export function createCheckpointKeeper(
  write: () => Promise<void>,
  store: CheckpointStore,
  clock: Clock,
): () => Promise<void> {
  return async () => {
    try {
      await write();
    } catch (error) {
      await store.recordFailure(clock());
      throw error;
    }
    await store.recordWritten(clock());
  };
}
