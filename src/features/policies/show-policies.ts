import type { Interaction } from '../../slack/interactions/interaction.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import { offersAction } from '../../workspace/permissions.ts';
import type { RuledAction } from '../../workspace/rules.ts';
import { listAllPolicies } from '../compliance/index.ts';
import { readPage, searchPolicies } from './find-policies.ts';
import type { PolicyCatalog } from './store/policy-catalog.ts';
import { catalogMessage, policyListMessage } from './views/policy-list-message.ts';

/** How long a person waits for the list or the definition of a policy. */
export const readMs = 8000;

export type ShowDependencies = { policyCatalog: Pick<PolicyCatalog, 'list'> };

/** Whether to show this person the button for an action. Without roles, everybody may request it. */
export async function offersTo(
  { person, settings }: Interaction,
  action: RuledAction,
): Promise<boolean> {
  return !person.standing || offersAction(person, await settings(), action);
}

/**
 * One page of the policies that match `search`: of the service's list or, if it has none, of those
 * that Belay knows.
 * @throws ServiceError
 */
export async function showPolicies(
  call: Interaction,
  { search, start }: { search: string; start: number },
  { policyCatalog }: ShowDependencies,
): Promise<Message> {
  const { client, connectionId } = await call.service();
  const canCreate = await offersTo(call, 'policies.create');
  const policies = await listAllPolicies(client, AbortSignal.timeout(readMs));
  if (policies) {
    const page = await readPage(client, searchPolicies(policies, search), start);
    return policyListMessage({ ...page, search, canCreate });
  }
  const known = await policyCatalog.list({ teamId: call.teamId, connectionId });
  const page = await readPage(client, searchPolicies(known, search), start);
  return catalogMessage({ ...page, search, canCreate });
}
