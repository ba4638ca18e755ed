import type { Clock } from './clock.ts';
import type { Approvals } from './features/approvals/index.ts';
import { createLogAnnouncer } from './features/audit/index.ts';
import { runDueDigests, sampleCompliance } from './features/digests/index.ts';
import { createWatches } from './features/watches/index.ts';
import type { OpenService } from './features/workspaces/index.ts';
import { repeat } from './jobs/repeat.ts';
import type { Logger } from './logger.ts';
import type { Stores } from './open-stores.ts';
import { createDelivery } from './outbox/delivery.ts';
import type { SlackClient } from './slack/api/slack-client.ts';

type Parts = {
  stores: Stores;
  approvals: Approvals;
  /** For what nobody waits for. */
  openService: OpenService;
  writeCheckpoints: () => Promise<void>;
  describeCause: (error: unknown) => string;
  slack: SlackClient;
  deliverySlack: SlackClient;
  clock: Clock;
  newId: () => string;
  log: Logger;
};

const second = 1000;
const hour = 3600 * second;

/** What Belay does without being asked: every repeated work by name. Ends what is under way. */
export function startBackground(parts: Parts): { stop: () => Promise<void> } {
  const { stores, approvals, writeCheckpoints, slack, deliverySlack, clock, log } = parts;
  const { watchStore, pollStore, deliveryStore, digestStore, samples, auditStore } = stores;
  const { readSettings } = stores.workspaceStore;
  const watches = createWatches({ ...parts, store: pollStore, watchStore });
  const delivery = createDelivery({ ...parts, slack: deliverySlack, store: deliveryStore });
  const announceLog = createLogAnnouncer({ store: auditStore, readSettings, slack, clock });
  const digests = { ...parts, store: digestStore, samples };
  const runDigests = (stopping: AbortSignal) => runDueDigests(digests, stopping);
  const sample = (stopping: AbortSignal) => sampleCompliance(digests, stopping);

  const repeated = [
    repeat('approvals.sweep', 10 * second, approvals.sweep, log),
    repeat('audit.checkpoints', second, writeCheckpoints, log),
    repeat('audit.announce', hour, announceLog, log),
    repeat('delivery.deliver', second / 4, delivery.deliver, log),
    repeat('delivery.prune', hour, delivery.prune, log),
    repeat('watches.poll', 5 * second, async () => watches.begin(), log),
    repeat('watches.forget', hour, watches.forget, log),
    repeat('digests.run', 10 * second, runDigests, log),
    repeat('digests.sample', 10 * 60 * second, sample, log),
  ];

  return {
    async stop() {
      await Promise.all(repeated.map((end) => end()));
      await watches.stop();
      await delivery.settled();
    },
  };
}
