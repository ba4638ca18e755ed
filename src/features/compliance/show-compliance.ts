import type { ServiceClient } from '../../dataprotection/client.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import { findPolicy } from './find-policy.ts';
import {
  listAllPolicies,
  maxPolicies,
  type PolicyName,
  readAllCompliance,
  readCompliance,
} from './read-compliance.ts';
import { complianceListMessage } from './views/compliance-list-message.ts';
import {
  policiesNotListed,
  severalPoliciesMessage,
  unknownPolicyMessage,
  unlistedPolicyUnknownMessage,
} from './views/policy-choice-message.ts';
import { noStatisticsMessage, policyComplianceMessage } from './views/policy-compliance-message.ts';

/**
 * The page whose first policy has the position `start`, from 0.
 * @throws ServiceError
 */
export async function showAllCompliance(
  client: ServiceClient,
  signal: AbortSignal,
  start = 0,
): Promise<Message> {
  const policies = await listAllPolicies(client, signal);
  if (!policies) return policiesNotListed;
  const readings = await readAllCompliance(client, policies.slice(0, maxPolicies), signal);
  return complianceListMessage(readings, { unreadCount: policies.length - readings.length, start });
}

/**
 * The compliance of the policy with this name or id, or suggestions.
 *
 * @throws ServiceError
 */
export async function showPolicyCompliance(
  client: ServiceClient,
  nameOrId: string,
  signal: AbortSignal,
): Promise<Message> {
  const policies = await listAllPolicies(client, signal);
  if (!policies) {
    const statistics = await showStatistics(client, { id: nameOrId, name: nameOrId }, signal);
    return statistics ?? unlistedPolicyUnknownMessage(nameOrId);
  }
  const found = findPolicy(policies, nameOrId);
  switch (found.result) {
    case 'found': {
      const statistics = await showStatistics(client, found.policy, signal);
      return statistics ?? noStatisticsMessage(found.policy);
    }
    case 'several':
      return severalPoliciesMessage(nameOrId, found.policies);
    case 'none':
      return unknownPolicyMessage(nameOrId, found.nearest);
  }
}

async function showStatistics(
  client: ServiceClient,
  policy: PolicyName,
  signal: AbortSignal,
): Promise<Message | undefined> {
  const reading = await readCompliance(client, policy.id, signal);
  if (reading.outcome === 'failed') throw reading.error;
  return reading.outcome === 'read'
    ? policyComplianceMessage(policy, reading.statistics)
    : undefined;
}
