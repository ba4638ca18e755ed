import type { BackgroundWork } from './background.ts';
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
  createHoldEnder,
  createSnoozeEnder,
  createWatches,
  watchSummaryButton,
} from './features/watches/index.ts';
import type { Metrics } from './health/metrics.ts';
import type { Logger } from './logger.ts';
import type { Stores } from './open-stores.ts';
import { createDelivery } from './postings/outbox/deliver.ts';
import { enqueueMessages } from './postings/outbox/enqueue.ts';
import type { Replicas } from './replicas/index.ts';
import type { Approvals } from './requests/approvals.ts';
import type { AdminDirectory } from './slack/api/list-admins.ts';
import type { SlackClients } from './slack/api/slack-clients.ts';
import type { Access } from './workspace/access/access.ts';
import { createDirectReaders } from './workspace/access/direct-readers.ts';
import type { OpenService } from './workspace/open-service.ts';

/** Builds everything that Belay does without being asked; background.ts says how often. */
export function createBackgroundWork(parts: {
  stores: Stores;
  approvals: Approvals;
  access: Access;
  adminDirectory: AdminDirectory;
  writeCheckpoints: () => Promise<void>;
  /** Its calls yield to those that people wait for. */
  openService: OpenService;
  beat: Replicas['beat'];
  checkInstallations: BackgroundWork['checkInstallations'];
  rotateKeys: BackgroundWork['rotateKeys'];
  refreshOrganizations: BackgroundWork['refreshOrganizations'];
  refreshTokens: BackgroundWork['refreshTokens'];
  reportRefusals: BackgroundWork['reportRefusals'];
  onPolled: Metrics['polled'] | undefined;
  homes: BackgroundWork['homes'];
  reportAlert: ReportAlert;
  clients: SlackClients;
  deliveryClients: SlackClients;
  policyIntervalMs: number;
  drillTimings: Partial<DrillTimings> | undefined;
  clock: Clock;
  now: MonotonicClock;
  log: Logger;
}): BackgroundWork {
  const { stores, approvals, writeCheckpoints, clients, deliveryClients, clock, log } = parts;
  const { auditStore, outboxStore, watchStore, pollStore, digestStore, samples } = stores;
  const { readSettings, pruneChanges } = stores.workspaceStore;
  const { policyChanges } = stores;
  const digests = { ...parts, store: digestStore, samples, policyChanges };
  return {
    advanceRequests: approvals.work.advance,
    publishRequests: approvals.work.publish,
    remindApprovers: approvals.remind,
    pruneApprovals: approvals.prune,
    writeCheckpoints,
    beat: parts.beat,
    checkInstallations: parts.checkInstallations,
    rotateKeys: parts.rotateKeys,
    refreshOrganizations: parts.refreshOrganizations,
    refreshTokens: parts.refreshTokens,
    reportRefusals: parts.reportRefusals,
    announceLog: createLogAnnouncer({ store: auditStore, clients, clock, log }),
    announceSetup: createSetupAnnouncer({
      ...parts,
      store: stores.workspaceStore,
      enqueueMessages,
    }),
    warnOfExpiry: createExpiryWarner({
      ...parts,
      store: stores.tokenExpiry,
      readSettings,
      enqueueMessages,
    }),
    async pruneSetup() {
      await pruneChanges(clock());
      await stores.tokenPages.prune(clock());
      await stores.pruneGroups(subDays(clock(), 1));
    },
    prunePolicyDrafts: () => stores.policyDrafts.prune(clock()),
    delivery: createDelivery({
      ...parts,
      clients: deliveryClients,
      store: outboxStore,
      summaryButton: watchSummaryButton,
      mayReadDirect: createDirectReaders(parts),
    }),
    homes: parts.homes,
    watches: createWatches({
      ...parts,
      store: pollStore,
      watchStore,
      onAlertsRead: createAlertReader({ remember: stores.policyCatalog.remember, clock }),
    }),
    endHolds: createHoldEnder({ ...parts, mutes: stores.mutes }),
    endSnoozes: createSnoozeEnder({ ...parts, store: pollStore }),
    readWatchedCompliance: createComplianceReader({
      ...parts,
      complianceWatches: stores.complianceWatches,
    }),
    runDigests: createDigestRunner(digests),
    runDrills: createDrillRunner({ ...parts, ...stores, timings: parts.drillTimings }),
    clearAlerts: createClearingRunner({ ...parts, clearings: stores.clearings, readSettings }),
    pruneClearings: () => stores.clearings.prune(clock()),
    observePolicies: createPolicyObserver({ ...parts, observations: stores.observations }),
    sampleCompliance: createComplianceSampler({
      ...digests,
      listKnownPolicies: stores.policyCatalog.list,
    }),
    log,
  };
}
