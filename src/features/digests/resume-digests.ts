import type { Clock } from '../../clock.ts';
import type { DigestStore } from './digest-store.ts';
import { nextRun } from './next-run.ts';

/**
 * Lets the paused digests of a channel go on; returns how many. Each comes at its next time and tells
 * all since the last that arrived.
 */
export function resumeDigests(
  channel: { teamId: string; channelId: string },
  { store, clock }: { store: DigestStore; clock: Clock },
): Promise<number> {
  const now = clock();
  return store.resume({ ...channel, nextRunOf: (settings) => nextRun(settings, now) });
}
