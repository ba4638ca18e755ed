import { createAppendEntry } from './audit-log/append.ts';
import { createAppendRefusal, pruneRefusals } from './audit-log/append-refusal.ts';
import type { ServedTeams } from './database/served-teams.ts';
import type { Database } from './database/tables.ts';
import { createAlertStore, createClearings, createSavedFilters } from './features/alerts/index.ts';
import { createAuditStore } from './features/audit/store/audit-store.ts';
import { createCheckpointStore } from './features/audit/store/checkpoint-store.ts';
import { createComplianceHistory } from './features/compliance/store/compliance-history.ts';
import { createComplianceSamples } from './features/compliance/store/compliance-samples.ts';
import { createWorkspaceHandlers } from './features/configuration/index.ts';
import { digestOutboxHandlers } from './features/digests/store/digest-kind.ts';
import { createDigestStore, isReportingPolicies } from './features/digests/store/digest-store.ts';
import { drillOutboxHandlers } from './features/drills/store/drill-kind.ts';
import { createDrillRuns } from './features/drills/store/drill-runs.ts';
import { createDrillStore } from './features/drills/store/drill-store.ts';
import { createDraftStore } from './features/policies/store/draft-store.ts';
import { createPolicyCatalog, rememberCreated } from './features/policies/store/policy-catalog.ts';
import { createPolicyChanges } from './features/policy-watches/store/all-changes.ts';
import { createObservationStore } from './features/policy-watches/store/observation-store.ts';
import { createComplianceWatchStore } from './features/watches/store/compliance-watch-store.ts';
import { createMuteStore } from './features/watches/store/mute-store.ts';
import { createPolicyWatchStore } from './features/watches/store/policy-watch-store.ts';
import { createPollStore } from './features/watches/store/poll-store.ts';
import { createReminderStore } from './features/watches/store/reminder-store.ts';
import { watchOutboxHandlers } from './features/watches/store/watch-kinds.ts';
import { createWatchStore } from './features/watches/store/watch-store.ts';
import { createHomeStore, recordHomeChange } from './postings/home/store/home-store.ts';
import { createPublishPace } from './postings/home/store/publish-pace.ts';
import { publishLimit } from './postings/home/timings.ts';
import { enqueueMessages } from './postings/outbox/enqueue.ts';
import { createOutboxStore } from './postings/outbox/store/outbox-store.ts';
import { referenceOf } from './requests/approval.ts';
import { createApprovalStore } from './requests/store/approval-store.ts';
import { createRepublishPending } from './requests/store/republish-pending.ts';
import type { StoreHooks, TransactionHooks } from './requests/store/transaction-hooks.ts';
import { addReference } from './tracing.ts';
import { pruneGroups } from './workspace/access/store/group-store.ts';
import { createStandInStore } from './workspace/access/store/stand-in-store.ts';
import type { EnqueueNamed } from './workspace/enqueue-named.ts';
import { enqueueNamed } from './workspace/enqueue-named.ts';
import { dropEndedChange } from './workspace/store/drop-changes.ts';
import { createTokenCipher } from './workspace/store/token-cipher.ts';
import { createTokenExpiryStore } from './workspace/store/token-expiry.ts';
import { createTokenPageStore } from './workspace/store/token-pages.ts';
import { createWorkspaceStore } from './workspace/store/workspace-store.ts';

export type Stores = ReturnType<typeof openStores>;

/** Every store, built on one database, one audit log and one outbox. */
export function openStores(
  db: Database,
  {
    encryptionKeys,
    isServed,
    onSettingsSaved,
    onRequestsChanged,
  }: {
    encryptionKeys: Buffer[];
    /** The teams that this process works for. */
    isServed: ServedTeams;
    /** Called once they, or a stand-in, are committed. */
    onSettingsSaved?: (teamId: string) => void;
    /** Called with requests whose changes are committed. */
    onRequestsChanged?: StoreHooks['onCommitted'];
  },
) {
  const append = createAppendEntry(encryptionKeys);
  const onEnded: TransactionHooks['onEnded'] = async (trx, approval) => {
    await dropEndedChange(trx, approval);
    await rememberCreated(trx, approval);
  };
  const hooks: TransactionHooks = {
    append,
    onEnded,
    async onChanged(trx, approval) {
      addReference(referenceOf(approval));
      await recordHomeChange(trx, approval.teamId);
    },
  };
  // Watches and digests announce when they begin, change and end.
  const enqueueAnnounced: EnqueueNamed = async (trx, to, outgoing, at) => {
    await recordHomeChange(trx, to.teamId);
    return enqueueNamed(trx, to, outgoing, at);
  };
  const announced = { enqueueMessages: enqueueAnnounced, isServed };
  const cipher = createTokenCipher(encryptionKeys);
  const workspaceStore = createWorkspaceStore(db, cipher, {
    ...createWorkspaceHandlers({ hooks, cipher }),
    isServed,
  });
  /** Not in the transaction: until it is committed, others read the settings as they were. */
  const thenReport =
    <Input extends { teamId: string }, Result>(save: (input: Input) => Promise<Result>) =>
    (input: Input) =>
      // Without an answer of the database, they may have been saved.
      save(input).finally(() => onSettingsSaved?.(input.teamId));
  const republishPending = createRepublishPending(hooks);
  const standInStore = createStandInStore(db, {
    append,
    async onStandInsChanged(trx, teamId) {
      await recordHomeChange(trx, teamId);
      await republishPending(trx, teamId);
    },
  });
  return {
    approvalStore: createApprovalStore(db, { ...hooks, onCommitted: onRequestsChanged }, isServed),
    auditStore: createAuditStore(db, isServed),
    checkpointStore: createCheckpointStore(db, { enqueueMessages, isServed }),
    workspaceStore: {
      ...workspaceStore,
      saveSetup: thenReport(workspaceStore.saveSetup),
      saveChange: thenReport(workspaceStore.saveChange),
    },
    pruneGroups: (before: Date) => pruneGroups(db, { before, isServed }),
    pruneRefusals: (now: Date) => pruneRefusals(db, now, isServed),
    standInStore: {
      ...standInStore,
      name: thenReport(standInStore.name),
      end: thenReport(standInStore.end),
    },
    tokenPages: createTokenPageStore(db, { cipher, isServed }),
    tokenExpiry: createTokenExpiryStore(db, isServed),
    outboxStore: createOutboxStore(
      db,
      [watchOutboxHandlers, digestOutboxHandlers, drillOutboxHandlers],
      isServed,
    ),
    watchStore: createWatchStore(db, announced),
    complianceWatches: createComplianceWatchStore(db, announced),
    mutes: createMuteStore(db, { enqueueMessages: enqueueAnnounced, append, isServed }),
    reminders: createReminderStore(db, { enqueueMessages: enqueueAnnounced, isServed }),
    pollStore: createPollStore(db, { enqueueMessages: enqueueNamed, append, isServed }),
    alertStore: createAlertStore(db, { append, appendRefusal: createAppendRefusal(append) }),
    savedFilters: createSavedFilters(db),
    clearings: createClearings(db, { append, enqueueMessages: enqueueNamed, isServed }),
    digestStore: createDigestStore(db, announced),
    drills: createDrillStore(db, announced),
    drillRuns: createDrillRuns(db, { enqueueMessages: enqueueNamed, append, isServed }),
    samples: createComplianceSamples(db, isServed),
    policyCatalog: createPolicyCatalog(db),
    policyWatches: createPolicyWatchStore(db, announced),
    observations: createObservationStore(db, {
      enqueueMessages: enqueueNamed,
      isServed,
      isReported: isReportingPolicies,
    }),
    policyChanges: createPolicyChanges(db),
    complianceHistory: createComplianceHistory(db),
    policyDrafts: createDraftStore(db, isServed),
    homeStore: createHomeStore(db, isServed),
    publishPace: createPublishPace(db, publishLimit),
  };
}
