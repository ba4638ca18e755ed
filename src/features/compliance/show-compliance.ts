import type { Message } from '../../slack/ui/blocks.ts';
import type { Service } from '../workspaces/index.ts';
import { findPolicy } from './find-policy.ts';
import type { Period } from './history.ts';
import {
  listAllPolicies,
  maxPolicies,
  type PolicyName,
  readAllCompliance,
  readCompliance,
} from './read-compliance.ts';
import { type HistoryDependencies, readListHistory, readPolicyHistory } from './read-history.ts';
import { complianceListMessage } from './views/compliance-list-message.ts';
import {
  policiesNotListed,
  severalPoliciesMessage,
  unknownPolicyMessage,
  unlistedPolicyUnknownMessage,
} from './views/policy-choice-message.ts';
import { noStatisticsMessage, policyComplianceMessage } from './views/policy-compliance-message.ts';

export type ShowInput = {
  signal: AbortSignal;
  /** Of the history. */
  period: Period;
  /** The person's. */
  timeZone: string | undefined;
};

type ReadFrom = Pick<Service, 'client' | 'connectionId'>;

/**
 * The page whose first policy has the position `start`, from 0.
 * @throws ServiceError
 */
export async function showAllCompliance(
  { client, connectionId }: ReadFrom,
  start: number,
  { signal, ...shown }: ShowInput,
  dependencies: HistoryDependencies,
): Promise<Message> {
  const policies = await listAllPolicies(client, signal);
  if (!policies) return policiesNotListed;
  const readings = await readAllCompliance(client, policies.slice(0, maxPolicies), signal);
  const history = await readListHistory(readings, { connectionId, ...shown }, dependencies);
  const unreadCount = policies.length - readings.length;
  return complianceListMessage(readings, { unreadCount, start, history });
}

/**
 * The compliance of the policy with this name or id, or suggestions.
 *
 * @throws ServiceError
 */
export async function showPolicyCompliance(
  service: ReadFrom,
  nameOrId: string,
  input: ShowInput,
  dependencies: HistoryDependencies,
): Promise<Message> {
  const { client } = service;
  const { signal } = input;
  const policies = await listAllPolicies(client, signal);
  if (!policies) {
    const policy = { id: nameOrId, name: nameOrId };
    const shown = await showPolicy(service, policy, input, undefined);
    return shown ?? unlistedPolicyUnknownMessage(nameOrId);
  }
  const found = findPolicy(policies, nameOrId);
  switch (found.result) {
    case 'found': {
      const shown = await showPolicy(service, found.policy, input, dependencies);
      return shown ?? noStatisticsMessage(found.policy);
    }
    case 'several':
      return severalPoliciesMessage(nameOrId, found.policies);
    case 'none':
      return unknownPolicyMessage(nameOrId, found.nearest);
  }
}

/**
 * Undefined if the service has no statistics of the policy. Without a history if its policies can't be
 * listed, because then nobody reads them every day.
 */
async function showPolicy(
  { client, connectionId }: ReadFrom,
  policy: PolicyName,
  { signal, ...shown }: ShowInput,
  dependencies: HistoryDependencies | undefined,
): Promise<Message | undefined> {
  const reading = await readCompliance(client, policy.id, signal);
  if (reading.outcome === 'failed') throw reading.error;
  if (reading.outcome === 'none') return undefined;
  const { statistics } = reading;
  const input = { connectionId, ...shown };
  const history =
    dependencies && (await readPolicyHistory(policy, statistics, input, dependencies));
  return policyComplianceMessage(policy, statistics, history);
}
