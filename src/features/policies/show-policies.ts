import type { Message } from '../../slack/ui/blocks.ts';
import { listAllPolicies } from '../compliance/index.ts';
import { notConnected, type OpenService, type ServiceRef } from '../workspaces/index.ts';
import { readPage, searchPolicies } from './find-policies.ts';
import type { PolicyCatalog } from './store/policy-catalog.ts';
import { catalogMessage, policyListMessage } from './views/policy-list-message.ts';

/** How long a person waits for the list or the definition of a policy. */
export const readMs = 8000;

export type ShowDependencies = {
  openService: OpenService;
  policyCatalog: Pick<PolicyCatalog, 'list'>;
};

/**
 * One page of the policies that match `search`: of the service's list or, if it has none, of those
 * that Belay knows.
 * @throws ServiceError
 */
export async function showPolicies(
  { teamId, connection }: ServiceRef,
  { search, start }: { search: string; start: number },
  { openService, policyCatalog }: ShowDependencies,
): Promise<Message> {
  const service = await openService(teamId, connection);
  if (!service) return notConnected;
  const { client, connectionId } = service;
  const policies = await listAllPolicies(client, AbortSignal.timeout(readMs));
  if (policies) {
    const page = await readPage(client, searchPolicies(policies, search), start);
    return policyListMessage({ ...page, search });
  }
  const known = await policyCatalog.list({ teamId, connectionId });
  const page = await readPage(client, searchPolicies(known, search), start);
  return catalogMessage({ ...page, search });
}
