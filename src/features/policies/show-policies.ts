import type { Person } from '../../slack/api/person.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import { listAllPolicies } from '../compliance/index.ts';
import {
  type NamedPeople,
  notConnected,
  type OpenService,
  offersAction,
  type RuledAction,
  type ServiceRef,
} from '../workspaces/index.ts';
import { readPage, searchPolicies } from './find-policies.ts';
import type { PolicyCatalog } from './store/policy-catalog.ts';
import { catalogMessage, policyListMessage } from './views/policy-list-message.ts';

/** How long a person waits for the list or the definition of a policy. */
export const readMs = 8000;

export type ShowDependencies = {
  openService: OpenService;
  policyCatalog: Pick<PolicyCatalog, 'list'>;
  readSettings: (teamId: string) => Promise<NamedPeople>;
};

/** The person who reads policies, and the connection. */
export type Reader = ServiceRef & { person: Person };

/** Whether to show this person the button for an action. Without roles, everybody may request it. */
export async function offersTo(
  { teamId, person }: Reader,
  action: RuledAction,
  { readSettings }: Pick<ShowDependencies, 'readSettings'>,
): Promise<boolean> {
  return !person.standing || offersAction(person, await readSettings(teamId), action);
}

/**
 * One page of the policies that match `search`: of the service's list or, if it has none, of those
 * that Belay knows.
 * @throws ServiceError
 */
export async function showPolicies(
  reader: Reader,
  { search, start }: { search: string; start: number },
  dependencies: ShowDependencies,
): Promise<Message> {
  const { openService, policyCatalog } = dependencies;
  const { teamId, connection } = reader;
  const service = await openService(teamId, connection);
  if (!service) return notConnected;
  const { client, connectionId } = service;
  const canCreate = await offersTo(reader, 'policies.create', dependencies);
  const policies = await listAllPolicies(client, AbortSignal.timeout(readMs));
  if (policies) {
    const page = await readPage(client, searchPolicies(policies, search), start);
    return policyListMessage({ ...page, search, canCreate });
  }
  const known = await policyCatalog.list({ teamId, connectionId });
  const page = await readPage(client, searchPolicies(known, search), start);
  return catalogMessage({ ...page, search, canCreate });
}
