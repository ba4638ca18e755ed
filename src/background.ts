import { repeat } from './jobs/repeat.ts';
import type { Logger } from './logger.ts';
import type { Delivery } from './outbox/index.ts';

export type BackgroundWork = {
  sweepApprovals: () => Promise<unknown>;
  writeCheckpoints: () => Promise<unknown>;
  announceLog: () => Promise<unknown>;
  announceSetup: () => Promise<unknown>;
  pruneSetup: () => Promise<unknown>;
  delivery: Delivery;
  watches: { begin: () => void; prune: () => Promise<unknown>; stop: () => Promise<void> };
  runDueDigests: (stopping: AbortSignal) => Promise<unknown>;
  sampleCompliance: (stopping: AbortSignal) => Promise<unknown>;
  log: Logger;
};

const second = 1000;
const hour = 3600 * second;

/** Starts all periodic work. `stop` waits for what is running. */
export function startBackground(work: BackgroundWork): { stop: () => Promise<void> } {
  const { delivery, watches, log } = work;
  const repeated = [
    repeat('approvals.sweep', 10 * second, work.sweepApprovals, log),
    repeat('audit.checkpoints', second, work.writeCheckpoints, log),
    repeat('audit.announce', hour, work.announceLog, log),
    repeat('setup.announce', second, work.announceSetup, log),
    repeat('setup.prune', hour, work.pruneSetup, log),
    repeat('delivery.deliver', second / 4, delivery.deliver, log),
    repeat('delivery.prune', hour, delivery.prune, log),
    repeat('watches.poll', 5 * second, async () => watches.begin(), log),
    repeat('watches.prune', hour, watches.prune, log),
    repeat('digests.run', 10 * second, work.runDueDigests, log),
    repeat('digests.sample', 10 * 60 * second, work.sampleCompliance, log),
  ];

  return {
    async stop() {
      await Promise.all(repeated.map((end) => end()));
      await watches.stop();
      await delivery.settled();
    },
  };
}
