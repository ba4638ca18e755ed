import { ServiceError } from '../../dataprotection/http/errors.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import type { AuditRecord, AuditStore } from '../audit/index.ts';
import type { OpenService } from '../workspaces/index.ts';
import { readDefinition } from './show-policy.ts';
import { historyMessage } from './views/history-message.ts';

const maxShown = 10;
/** How long a person waits for the name of a policy that no entry names. */
const nameMs = 3000;

type Dependencies = { openService: OpenService; auditStore: Pick<AuditStore, 'list'> };

/** The newest entries of the audit log about a policy. */
export async function showHistory(
  teamId: string,
  policyId: string,
  { openService, auditStore }: Dependencies,
): Promise<Message> {
  const found = await auditStore.list({ teamId, subjectId: policyId, limit: maxShown + 1 });
  const records = found.slice(0, maxShown);
  const name = nameIn(records) ?? (await readName(teamId, policyId, openService)) ?? policyId;
  return historyMessage({ id: policyId, name }, { records, hasMore: found.length > maxShown });
}

function nameIn(records: AuditRecord[]): string | undefined {
  const texts = records.map(({ personal, requestPersonal }) => ({
    ...requestPersonal,
    ...personal,
  }));
  return texts.find(({ subject }) => subject !== undefined)?.subject;
}

/** If the name can't be read, the history is shown without it. */
async function readName(teamId: string, policyId: string, openService: OpenService) {
  try {
    const service = await openService(teamId);
    const signal = AbortSignal.timeout(nameMs);
    return service && (await readDefinition({ client: service.client, signal }, policyId))?.name;
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
