import type { Clock } from '../../clock.ts';
import type { OriginRef } from '../../database/connection-origin.ts';
import type { Approvals } from '../../requests/approvals.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import type { OpenService } from '../../workspace/open-service.ts';
import type { AuditStore } from '../audit/index.ts';
import type { DraftStore } from './store/draft-store.ts';
import type { PolicyCatalog } from './store/policy-catalog.ts';
import type { ExternalEntry } from './views/history-message.ts';

/** What the commands, buttons and forms of policies work with. */
export type PolicyContext = {
  policyCatalog: PolicyCatalog;
  drafts: DraftStore;
  auditStore: AuditStore;
  /** Changes made outside Belay, newest first: found by another feature. */
  listExternalChanges: (
    of: OriginRef & { policyId: string; limit: number },
  ) => Promise<ExternalEntry[]>;
  /** The first page of all recent changes: provided by another feature. */
  showChanges: (of: OriginRef, slack: SlackClient) => Promise<Message>;
  openService: OpenService;
  approvals: Approvals;
  clock: Clock;
};
