import type { Watches } from './features/watches/index.ts';
import type { DueWork } from './jobs/due-work.ts';
import { type RepeatOptions, repeat } from './jobs/repeat.ts';
import type { Logger } from './logger.ts';
import type { Homes } from './postings/home/create-homes.ts';
import type { Delivery } from './postings/outbox/deliver.ts';
import { heartbeatMs } from './replicas/index.ts';

export type BackgroundWork = {
  advanceRequests: Pick<DueWork, 'start'>;
  publishRequests: Pick<DueWork, 'start'>;
  remindApprovers: DueWork;
  pruneApprovals: () => Promise<unknown>;
  writeCheckpoints: () => Promise<unknown>;
  beat: () => Promise<unknown>;
  rotateKeys: (stopping: AbortSignal) => Promise<unknown>;
  /** Undefined with a bot token, as are the next three. */
  refreshOrganizations: DueWork | undefined;
  checkInstallations: DueWork | undefined;
  refreshTokens: DueWork | undefined;
  reportRefusals: DueWork | undefined;
  announceLog: DueWork;
  announceSetup: DueWork;
  pruneSetup: () => Promise<unknown>;
  warnOfExpiry: DueWork;
  prunePolicyDrafts: () => Promise<unknown>;
  delivery: Delivery;
  homes: Pick<Homes, 'publish' | 'prune'>;
  watches: Watches;
  endHolds: DueWork;
  endSnoozes: DueWork;
  readWatchedCompliance: DueWork;
  runDigests: DueWork;
  runDrills: DueWork;
  clearAlerts: DueWork;
  pruneClearings: () => Promise<unknown>;
  sampleCompliance: DueWork;
  observePolicies: DueWork;
  log: Logger;
};

type Stoppable = Pick<DueWork, 'start' | 'stop'>;

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Longer than looking for due work takes, which has a limit of its own. */
const lookMs = 5 * minute;

/** `limitMs` is longer than a run takes that still makes progress; looking for due work has one limit. */
export const schedule = {
  advanceRequests: { name: 'approvals.advance', intervalMs: second, startsAtOnce: true },
  /** For what was left: those that this process has changed are published at once. */
  publishRequests: { name: 'approvals.publish', intervalMs: 10 * second, startsAtOnce: true },
  remindApprovers: { name: 'approvals.remind', intervalMs: 10 * second },
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
    startsAtOnce: true,
  },
  checkInstallations: { name: 'installations.check', intervalMs: 5 * second },
  refreshTokens: { name: 'installations.refresh', intervalMs: 5 * second, startsAtOnce: true },
  reportRefusals: { name: 'installations.report', intervalMs: 5 * second, startsAtOnce: true },
  writeCheckpoints: { name: 'audit.checkpoints', intervalMs: second, limitMs: minute },
  announceLog: { name: 'audit.announce', intervalMs: 10 * minute },
  announceSetup: { name: 'setup.announce', intervalMs: second },
  pruneSetup: { name: 'setup.prune', intervalMs: hour, limitMs: 10 * minute },
  warnOfExpiry: { name: 'setup.expiry', intervalMs: 10 * minute, startsAtOnce: true },
  prunePolicyDrafts: { name: 'policies.prune', intervalMs: hour, limitMs: 10 * minute },
  deliver: { name: 'delivery.deliver', intervalMs: second / 4 },
  pruneDelivery: { name: 'delivery.prune', intervalMs: hour, limitMs: 10 * minute },
  publishHomes: { name: 'home.publish', intervalMs: second },
  pruneHomes: { name: 'home.prune', intervalMs: hour, limitMs: 10 * minute },
  pollWatches: { name: 'watches.poll', intervalMs: 5 * second },
  pruneWatches: { name: 'watches.prune', intervalMs: hour, limitMs: 10 * minute },
  endHolds: { name: 'watches.holds', intervalMs: 5 * second, startsAtOnce: true },
  endSnoozes: { name: 'alerts.snoozes', intervalMs: 5 * second },
  readWatchedCompliance: { name: 'watches.compliance', intervalMs: minute },
  runDigests: { name: 'digests.run', intervalMs: 10 * second },
  runDrills: { name: 'drills.run', intervalMs: 10 * second },
  clearAlerts: { name: 'alerts.clear', intervalMs: second },
  pruneClearings: { name: 'alerts.prune', intervalMs: hour, limitMs: 10 * minute },
  observePolicies: { name: 'policies.observe', intervalMs: minute },
  sampleCompliance: { name: 'digests.sample', intervalMs: 10 * minute },
};

/** How often some work starts, in milliseconds, for tests and for programs with a faster clock. */
export type Intervals = Record<
  | 'advanceRequests'
  | 'announceSetup'
  | 'warnOfExpiry'
  | 'pollWatches'
  | 'beat'
  | 'observePolicies'
  | 'runDrills'
  | 'checkInstallations'
  | 'refreshTokens'
  | 'reportRefusals',
  number
>;

/** Starts all periodic work. `stop` waits for what is running. */
export function startBackground(
  work: BackgroundWork,
  intervals: Partial<Intervals> = {},
): { stop: () => Promise<void> } {
  const { delivery, homes, watches, log } = work;
  const at = <Name extends keyof Intervals>(name: Name) => ({
    ...schedule[name],
    intervalMs: intervals[name] ?? schedule[name].intervalMs,
  });
  const look = (options: Omit<RepeatOptions, 'limitMs'>, { start }: Pick<DueWork, 'start'>) =>
    repeat({ ...options, limitMs: lookMs }, start, log);
  const due = (options: Omit<RepeatOptions, 'limitMs'>, dueWork: Stoppable | undefined) => {
    if (!dueWork) return async () => undefined;
    const end = look(options, dueWork);
    return () => Promise.all([end(), dueWork.stop()]);
  };
  const repeated = [
    // Stopped by `app.ts`, after what people decide until then has been received.
    look(at('advanceRequests'), work.advanceRequests),
    look(schedule.publishRequests, work.publishRequests),
    due(schedule.remindApprovers, work.remindApprovers),
    repeat(schedule.pruneApprovals, work.pruneApprovals, log),
    repeat(at('beat'), work.beat, log),
    repeat(schedule.rotateKeys, work.rotateKeys, log),
    due(schedule.refreshOrganizations, work.refreshOrganizations),
    due(at('checkInstallations'), work.checkInstallations),
    due(at('refreshTokens'), work.refreshTokens),
    due(at('reportRefusals'), work.reportRefusals),
    repeat(schedule.writeCheckpoints, work.writeCheckpoints, log),
    due(schedule.announceLog, work.announceLog),
    due(at('announceSetup'), work.announceSetup),
    repeat(schedule.pruneSetup, work.pruneSetup, log),
    due(at('warnOfExpiry'), work.warnOfExpiry),
    repeat(schedule.prunePolicyDrafts, work.prunePolicyDrafts, log),
    due(schedule.deliver, delivery.deliver),
    repeat(schedule.pruneDelivery, delivery.prune, log),
    due(schedule.publishHomes, homes.publish),
    repeat(schedule.pruneHomes, homes.prune, log),
    due(at('pollWatches'), watches.poll),
    repeat(schedule.pruneWatches, watches.prune, log),
    due(schedule.endHolds, work.endHolds),
    due(schedule.endSnoozes, work.endSnoozes),
    due(schedule.readWatchedCompliance, work.readWatchedCompliance),
    due(schedule.runDigests, work.runDigests),
    due(at('runDrills'), work.runDrills),
    due(schedule.clearAlerts, work.clearAlerts),
    repeat(schedule.pruneClearings, work.pruneClearings, log),
    due(schedule.sampleCompliance, work.sampleCompliance),
    due(at('observePolicies'), work.observePolicies),
  ];

  return {
    async stop() {
      await Promise.all(repeated.map((end) => end()));
    },
  };
}
