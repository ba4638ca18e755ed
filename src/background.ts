import type { Clock, MonotonicClock } from './clock.ts';
import { subDays } from './dates.ts';
import { createClearingRunner, type ReportAlert } from './features/alerts/index.ts';
import { createLogAnnouncer } from './features/audit/index.ts';
import { createComplianceSampler } from './features/compliance/index.ts';
import { createDigestRunner } from './features/digests/index.ts';
import { createDrillRunner, type DrillTimings } from './features/drills/index.ts';
import { createAlertReader } from './features/policies/index.ts';
import { createPolicyObserver } from './features/policy-watches/index.ts';
import { createExpiryWarner, createSetupAnnouncer } from './features/setup/index.ts';
import {
  createComplianceReader,
  createDueStateUpdater,
  createHoldEnder,
  createReminderSender,
  createWatches,
  watchSummaryButton,
} from './features/watches/index.ts';
import type { Metrics } from './health/metrics.ts';
import type { DueWork } from './jobs/due-work.ts';
import { repeat } from './jobs/repeat.ts';
import type { Logger } from './logger.ts';
import type { Stores } from './open-stores.ts';
import type { OAuthInstallations } from './open-workspaces.ts';
import type { Homes } from './postings/home/create-homes.ts';
import { createDelivery } from './postings/outbox/deliver.ts';
import { heartbeatMs, type Replicas } from './replicas/replicas.ts';
import type { Approvals } from './requests/approvals.ts';
import type { AdminDirectory } from './slack/api/list-admins.ts';
import type { SlackClients } from './slack/api/slack-clients.ts';
import type { Access } from './workspace/access/access.ts';
import { createDirectReaders } from './workspace/access/direct-readers.ts';
import type { OpenService } from './workspace/open-service.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** The limit of what has none of its own: longer than looking for due work takes. */
const lookMs = 5 * minute;

/** `limitMs` is longer than a run takes that still makes progress. */
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
  updateStates: { name: 'alerts.states', intervalMs: 5 * second },
  sendReminders: { name: 'watches.remind', intervalMs: 10 * second },
  readWatchedCompliance: { name: 'watches.compliance', intervalMs: minute },
  runDigests: { name: 'digests.run', intervalMs: 10 * second },
  runDrills: { name: 'drills.run', intervalMs: 10 * second },
  clearAlerts: { name: 'alerts.clear', intervalMs: second },
  pruneClearings: { name: 'alerts.prune', intervalMs: hour, limitMs: 10 * minute },
  observePolicies: { name: 'policies.observe', intervalMs: minute },
  sampleCompliance: { name: 'digests.sample', intervalMs: 10 * minute },
};

/** How often work starts, in milliseconds, for tests and for programs with a faster clock. */
export type Intervals = Record<keyof typeof schedule, number>;

/**
 * Starts everything that Belay does without being asked. Returns a function that stops it, and waits for
 * what still runs.
 */
export function startBackground(
  parts: {
    stores: Stores;
    approvals: Approvals;
    access: Access;
    adminDirectory: AdminDirectory;
    writeCheckpoints: () => Promise<void>;
    /** Its calls yield to those that people wait for. */
    openService: OpenService;
    beat: Replicas['beat'];
    rotateKeys: (stopping: AbortSignal) => Promise<unknown>;
    /** Undefined with a bot token. */
    oauth: OAuthInstallations | undefined;
    onPolled: Metrics['polled'] | undefined;
    homes: Pick<Homes, 'publish' | 'prune'>;
    reportAlert: ReportAlert;
    clients: SlackClients;
    deliveryClients: SlackClients;
    policyIntervalMs: number;
    drillTimings: Partial<DrillTimings> | undefined;
    clock: Clock;
    now: MonotonicClock;
    log: Logger;
  },
  intervals: Partial<Intervals> = {},
): () => Promise<unknown> {
  const { stores, approvals, homes, oauth, clients, deliveryClients, clock, log } = parts;
  const { auditStore, outboxStore, watchStore, pollStore, digestStore, samples } = stores;
  const { workspaceStore, policyCatalog, policyChanges, clearings } = stores;
  const { readSettings } = workspaceStore;
  const delivery = createDelivery({
    ...parts,
    clients: deliveryClients,
    store: outboxStore,
    summaryButton: watchSummaryButton,
    mayReadDirect: createDirectReaders(parts),
  });
  const watches = createWatches({
    ...parts,
    store: pollStore,
    watchStore,
    onAlertsRead: createAlertReader({ remember: policyCatalog.remember, clock }),
  });
  const { list: listKnownPolicies } = policyCatalog;
  const digests = { ...parts, store: digestStore, samples, listKnownPolicies, policyChanges };
  const stops: (() => Promise<unknown>)[] = [];

  function every(name: keyof Intervals, run: (signal: AbortSignal) => Promise<unknown>): void {
    const intervalMs = intervals[name] ?? schedule[name].intervalMs;
    stops.push(repeat({ limitMs: lookMs, ...schedule[name], intervalMs }, run, log));
  }

  function due(name: keyof Intervals, work: Pick<DueWork, 'start' | 'stop'>): void {
    every(name, work.start);
    stops.push(work.stop);
  }

  // Both are stopped by `app.ts`, after what people decide until then has been received.
  every('advanceRequests', approvals.work.advance.start);
  every('publishRequests', approvals.work.publish.start);
  due('remindApprovers', approvals.remind);
  every('pruneApprovals', async () => {
    await approvals.prune();
    await stores.pruneRefusals(clock());
  });
  every('beat', parts.beat);
  every('rotateKeys', parts.rotateKeys);
  if (oauth) {
    due('refreshOrganizations', oauth.organizations.refreshAll);
    due('checkInstallations', oauth.uninstaller.work);
    due('refreshTokens', oauth.rotation.refreshTokens);
    due('reportRefusals', oauth.rotation.reportRefusals);
  }
  every('writeCheckpoints', parts.writeCheckpoints);
  due('announceLog', createLogAnnouncer({ store: auditStore, clients, clock, log }));
  due('announceSetup', createSetupAnnouncer({ ...parts, store: workspaceStore }));
  every('pruneSetup', async () => {
    await workspaceStore.pruneChanges(clock());
    await stores.tokenPages.prune(clock());
    await stores.pruneGroups(subDays(clock(), 1));
  });
  due('warnOfExpiry', createExpiryWarner({ ...parts, store: stores.tokenExpiry, readSettings }));
  every('prunePolicyDrafts', () => stores.policyDrafts.prune(clock()));
  due('deliver', delivery.deliver);
  every('pruneDelivery', delivery.prune);
  due('publishHomes', homes.publish);
  every('pruneHomes', homes.prune);
  due('pollWatches', watches.poll);
  every('pruneWatches', watches.prune);
  due('endHolds', createHoldEnder({ ...parts, mutes: stores.mutes }));
  due('updateStates', createDueStateUpdater({ ...parts, store: pollStore }));
  due('sendReminders', createReminderSender({ ...parts, reminders: stores.reminders }));
  due(
    'readWatchedCompliance',
    createComplianceReader({ ...parts, complianceWatches: stores.complianceWatches }),
  );
  due('runDigests', createDigestRunner(digests));
  due('runDrills', createDrillRunner({ ...parts, ...stores, timings: parts.drillTimings }));
  due('clearAlerts', createClearingRunner({ ...parts, clearings, readSettings }));
  every('pruneClearings', () => clearings.prune(clock()));
  due('observePolicies', createPolicyObserver({ ...parts, observations: stores.observations }));
  due('sampleCompliance', createComplianceSampler(digests));

  return () => Promise.all(stops.map((stop) => stop()));
}
