import type { LogEntry } from '../features/audit/audit.ts';
import type { ChooseCounted } from '../features/delivery/choose-counted.ts';
import type { MergeReplies } from '../features/delivery/merge-replies.ts';
import { createApprovalStore } from './approval-store.ts';
import { createAuditStore } from './audit-store.ts';
import type { Companions } from './change-approval.ts';
import { createComplianceSamples } from './compliance-samples.ts';
import { createAppendToLog } from './decision-log.ts';
import { createDeliveryStore } from './delivery-store.ts';
import { createDigestStore } from './digest-store.ts';
import type { Database } from './open-database.ts';
import { createQueueOutgoing } from './outbox.ts';
import { createPollStore } from './poll-store.ts';
import { createTokenCipher } from './token-cipher.ts';
import { createRedrawWaiting, createVoidWaiting } from './void-waiting.ts';
import { createWatchStore } from './watch-store.ts';
import { createWorkspaceStore } from './workspace-store.ts';

export type Stores = ReturnType<typeof openStores>;

/** What the features keep, and how it hangs together: one log, one queue of messages. */
export function openStores(
  db: Database,
  {
    encryptionKeys,
    chooseCounted,
    mergeReplies,
    follow,
  }: {
    encryptionKeys: Buffer[];
    chooseCounted: ChooseCounted;
    mergeReplies: MergeReplies;
    follow: Companions['follow'];
  },
) {
  const append = createAppendToLog(encryptionKeys);
  const companions = { append, follow };
  const queueOutgoing = createQueueOutgoing({ chooseCounted, mergeReplies });
  return {
    approvalStore: createApprovalStore(db, companions),
    auditStore: createAuditStore(db),
    workspaceStore: createWorkspaceStore(db, createTokenCipher(encryptionKeys), {
      append,
      voidWaiting: createVoidWaiting(companions),
      redrawWaiting: createRedrawWaiting(companions),
    }),
    deliveryStore: createDeliveryStore(db, { queueOutgoing }),
    watchStore: createWatchStore(db, { queueOutgoing }),
    pollStore: createPollStore(db, { queueOutgoing }),
    digestStore: createDigestStore(db, { queueOutgoing }),
    samples: createComplianceSamples(db),
    logAlertChange: (entry: LogEntry) => db.transaction().execute((trx) => append(trx, entry)),
  };
}
