import type { ServiceClient } from '../../dataprotection/client.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import { findPolicy } from './find-policy.ts';
import { listAllPolicies } from './list-all-policies.ts';
import { type PolicyName, readAllCompliance, readCompliance } from './read-all-compliance.ts';
import { complianceListMessage } from './views/compliance-list-message.ts';
import {
  policiesNotListed,
  severalPoliciesMessage,
  unknownPolicyMessage,
  unlistedPolicyUnknownMessage,
} from './views/policy-choice-message.ts';
import { noStatisticsMessage, policyComplianceMessage } from './views/policy-compliance-message.ts';

/** More policies than this are not read unasked: each costs the service a request. */
const maxRead = 100;

/** The compliance of all policies. Throws `ServiceError`. */
export async function showAllCompliance(
  client: ServiceClient,
  signal: AbortSignal,
): Promise<Message> {
  const policies = await listAllPolicies(client, signal);
  if (!policies) return policiesNotListed;
  const readings = await readAllCompliance(client, policies.slice(0, maxRead), signal);
  return complianceListMessage(readings, { unreadCount: policies.length - readings.length });
}

/** The compliance of the policy with this name or id, or what to type instead. Throws `ServiceError`. */
export async function showPolicyCompliance(
  client: ServiceClient,
  asked: string,
  signal: AbortSignal,
): Promise<Message> {
  const policies = await listAllPolicies(client, signal);
  if (!policies) {
    const statistics = await showStatistics(client, { id: asked, name: asked }, signal);
    return statistics ?? unlistedPolicyUnknownMessage(asked);
  }
  const found = findPolicy(policies, asked);
  switch (found.result) {
    case 'found': {
      const statistics = await showStatistics(client, found.policy, signal);
      return statistics ?? noStatisticsMessage(found.policy);
    }
    case 'several':
      return severalPoliciesMessage(asked, found.policies);
    case 'none':
      return unknownPolicyMessage(asked, found.nearest);
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
