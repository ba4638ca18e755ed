import { ServiceError } from '../../dataprotection/http/errors.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import type { AuditRecord, AuditStore } from '../audit/index.ts';
import type { OpenService, OriginRef, ServiceRef } from '../workspaces/index.ts';
import { readDefinition } from './show-policy.ts';
import { type ExternalEntry, historyMessage } from './views/history-message.ts';

const maxShown = 10;
/** How long a person waits for the name of a policy that no entry names. */
const nameMs = 3000;

export type HistoryDependencies = {
  openService: OpenService;
  auditStore: Pick<AuditStore, 'list'>;
  /** Changes made outside Belay, newest first: found by another feature. */
  listExternalChanges: (
    of: OriginRef & { policyId: string; limit: number },
  ) => Promise<ExternalEntry[]>;
};

/** The newest changes to a policy: entries of the audit log, and changes made outside Belay. */
export async function showHistory(
  of: ServiceRef,
  policyId: string,
  { openService, auditStore, listExternalChanges }: HistoryDependencies,
): Promise<Message> {
  const { teamId } = of;
  const connection = { teamId, originId: of.connection?.originId };
  const limit = maxShown + 1;
  const [records, external] = await Promise.all([
    auditStore.list({ teamId, subjectId: policyId, connection, limit }),
    listExternalChanges({ ...connection, policyId, limit }),
  ]);
  const entries = [...records, ...external].toSorted((one, other) => +other.at - +one.at);
  const name =
    nameIn(records) ??
    external.at(0)?.name ??
    (await readName(of, policyId, openService)) ??
    policyId;
  const policy = { id: policyId, name };
  return historyMessage(policy, {
    entries: entries.slice(0, maxShown),
    hasMore: entries.length > maxShown,
  });
}

function nameIn(records: AuditRecord[]): string | undefined {
  const texts = records.map(({ personal, requestPersonal }) => ({
    ...requestPersonal,
    ...personal,
  }));
  return texts.find(({ subject }) => subject !== undefined)?.subject;
}

/** If the name can't be read, the history is shown without it. */
async function readName(
  { teamId, connection }: ServiceRef,
  policyId: string,
  openService: OpenService,
) {
  try {
    const service = await openService(teamId, connection);
    const signal = AbortSignal.timeout(nameMs);
    return service && (await readDefinition({ client: service.client, signal }, policyId))?.name;
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
