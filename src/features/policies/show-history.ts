import type { Message } from '../../slack/ui/blocks.ts';
import type { AuditStore } from '../audit/index.ts';
import { historyMessage } from './views/history-message.ts';

const maxShown = 10;

/** The newest entries of the audit log about a policy. */
export async function showHistory(
  teamId: string,
  policyId: string,
  { auditStore }: { auditStore: Pick<AuditStore, 'list'> },
): Promise<Message> {
  const found = await auditStore.list({ teamId, subjectId: policyId, limit: maxShown + 1 });
  const records = found.slice(0, maxShown);
  const named = records.map(({ personal, requestPersonal }) => ({
    ...requestPersonal,
    ...personal,
  }));
  const name = named.find(({ subject }) => subject !== undefined)?.subject ?? policyId;
  return historyMessage({ id: policyId, name }, { records, hasMore: found.length > maxShown });
}
