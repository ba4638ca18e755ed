import type { Homes } from './features/home/index.ts';
import { repeat } from './jobs/repeat.ts';
import type { Logger } from './logger.ts';
import type { Delivery } from './outbox/index.ts';
import { heartbeatMs } from './replicas/index.ts';

export type BackgroundWork = {
  advanceRequests: () => Promise<unknown>;
  publishRequests: () => Promise<unknown>;
  remindApprovers: () => Promise<unknown>;
  pruneApprovals: () => Promise<unknown>;
  writeCheckpoints: () => Promise<unknown>;
  beat: () => Promise<unknown>;
  rotateKeys: (stopping: AbortSignal) => Promise<unknown>;
  refreshOrganizations: () => Promise<unknown>;
  checkInstallations: (stopping: AbortSignal) => Promise<unknown>;
  refreshTokens: (stopping: AbortSignal) => Promise<unknown>;
  announceLog: (stopping: AbortSignal) => Promise<unknown>;
  announceSetup: () => Promise<unknown>;
  pruneSetup: () => Promise<unknown>;
  warnOfExpiry: () => Promise<unknown>;
  prunePolicyDrafts: () => Promise<unknown>;
  delivery: Delivery;
  homes: Pick<Homes, 'publish' | 'prune' | 'stop'>;
  watches: { begin: () => void; prune: () => Promise<unknown>; stop: () => Promise<void> };
  readWatchedCompliance: (stopping: AbortSignal) => Promise<unknown>;
  runDueDigests: (stopping: AbortSignal) => Promise<unknown>;
  sampleCompliance: (stopping: AbortSignal) => Promise<unknown>;
  observePolicies: (stopping: AbortSignal) => Promise<unknown>;
  log: Logger;
};

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** `limitMs` is longer than a run takes that still makes progress. */
export const schedule = {
  advanceRequests: {
    name: 'approvals.advance',
    intervalMs: second,
    limitMs: minute,
    startsAtOnce: true,
  },
  /** For what was left: those that this process has changed are published at once. */
  publishRequests: {
    name: 'approvals.publish',
    intervalMs: 10 * second,
    limitMs: minute,
    startsAtOnce: true,
  },
  remindApprovers: { name: 'approvals.remind', intervalMs: 10 * second, limitMs: 10 * minute },
  pruneApprovals: { name: 'approvals.prune', intervalMs: hour, limitMs: 10 * minute },
  beat: { name: 'replicas.beat', intervalMs: heartbeatMs, limitMs: minute },
  rotateKeys: {
    name: 'keys.rotate',
    intervalMs: minute,
    limitMs: 10 * minute,
    startsAtOnce: true,
  },
  refreshOrganizations: {
    name: 'installations.organizations',
    intervalMs: 5 * minute,
    limitMs: 5 * minute,
    startsAtOnce: true,
  },
  checkInstallations: {
    name: 'installations.check',
    intervalMs: 5 * second,
    limitMs: 10 * minute,
  },
  refreshTokens: {
    name: 'installations.refresh',
    intervalMs: 5 * second,
    limitMs: 10 * minute,
    startsAtOnce: true,
  },
  writeCheckpoints: { name: 'audit.checkpoints', intervalMs: second, limitMs: minute },
  announceLog: { name: 'audit.announce', intervalMs: 10 * minute, limitMs: 10 * minute },
  announceSetup: { name: 'setup.announce', intervalMs: second, limitMs: 5 * minute },
  pruneSetup: { name: 'setup.prune', intervalMs: hour, limitMs: 10 * minute },
  warnOfExpiry: {
    name: 'setup.expiry',
    intervalMs: 10 * minute,
    limitMs: 10 * minute,
    startsAtOnce: true,
  },
  prunePolicyDrafts: { name: 'policies.prune', intervalMs: hour, limitMs: 10 * minute },
  deliver: { name: 'delivery.deliver', intervalMs: second / 4, limitMs: minute },
  pruneDelivery: { name: 'delivery.prune', intervalMs: hour, limitMs: 10 * minute },
  publishHomes: { name: 'home.publish', intervalMs: second, limitMs: minute },
  pruneHomes: { name: 'home.prune', intervalMs: hour, limitMs: 10 * minute },
  pollWatches: { name: 'watches.poll', intervalMs: 5 * second, limitMs: minute },
  pruneWatches: { name: 'watches.prune', intervalMs: hour, limitMs: 10 * minute },
  readWatchedCompliance: {
    name: 'watches.compliance',
    intervalMs: minute,
    limitMs: 30 * minute,
  },
  runDigests: { name: 'digests.run', intervalMs: 10 * second, limitMs: 30 * minute },
  observePolicies: { name: 'policies.observe', intervalMs: minute, limitMs: 30 * minute },
  sampleCompliance: { name: 'digests.sample', intervalMs: 10 * minute, limitMs: 30 * minute },
};

/** How often some work starts, in milliseconds, for tests and for programs with a faster clock. */
export type Intervals = Record<
  | 'advanceRequests'
  | 'announceSetup'
  | 'warnOfExpiry'
  | 'pollWatches'
  | 'beat'
  | 'observePolicies'
  | 'checkInstallations'
  | 'refreshTokens',
  number
>;

/** Starts all periodic work. `stop` waits for what is running. */
export function startBackground(
  work: BackgroundWork,
  intervals: Partial<Intervals> = {},
): { stop: () => Promise<void> } {
  const { delivery, homes, watches, log } = work;
  const at = (name: keyof Intervals) => ({
    ...schedule[name],
    intervalMs: intervals[name] ?? schedule[name].intervalMs,
  });
  const repeated = [
    repeat(at('advanceRequests'), work.advanceRequests, log),
    repeat(schedule.publishRequests, work.publishRequests, log),
    repeat(schedule.remindApprovers, work.remindApprovers, log),
    repeat(schedule.pruneApprovals, work.pruneApprovals, log),
    repeat(at('beat'), work.beat, log),
    repeat(schedule.rotateKeys, work.rotateKeys, log),
    repeat(schedule.refreshOrganizations, work.refreshOrganizations, log),
    repeat(at('checkInstallations'), work.checkInstallations, log),
    repeat(at('refreshTokens'), work.refreshTokens, log),
    repeat(schedule.writeCheckpoints, work.writeCheckpoints, log),
    repeat(schedule.announceLog, work.announceLog, log),
    repeat(at('announceSetup'), work.announceSetup, log),
    repeat(schedule.pruneSetup, work.pruneSetup, log),
    repeat(at('warnOfExpiry'), work.warnOfExpiry, log),
    repeat(schedule.prunePolicyDrafts, work.prunePolicyDrafts, log),
    repeat(schedule.deliver, delivery.deliver, log),
    repeat(schedule.pruneDelivery, delivery.prune, log),
    repeat(schedule.publishHomes, homes.publish, log),
    repeat(schedule.pruneHomes, homes.prune, log),
    repeat(at('pollWatches'), async () => watches.begin(), log),
    repeat(schedule.pruneWatches, watches.prune, log),
    repeat(schedule.readWatchedCompliance, work.readWatchedCompliance, log),
    repeat(schedule.runDigests, work.runDueDigests, log),
    repeat(schedule.sampleCompliance, work.sampleCompliance, log),
    repeat(at('observePolicies'), work.observePolicies, log),
  ];

  return {
    async stop() {
      await Promise.all(repeated.map((end) => end()));
      await watches.stop();
      await delivery.settled();
      await homes.stop();
    },
  };
}
