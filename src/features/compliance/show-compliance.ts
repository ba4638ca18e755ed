import type { Message } from '../../slack/ui/blocks.ts';
import type { Service } from '../workspaces/index.ts';
import { findPolicy } from './find-policy.ts';
import type { Period } from './history.ts';
import {
  type ListKnownPolicies,
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

export type ShowDependencies = HistoryDependencies & { listKnownPolicies: ListKnownPolicies };

type ReadFrom = Pick<Service, 'client' | 'connectionId'> & { teamId: string };

/**
 * The page whose first policy has the position `start`, from 0.
 * @throws ServiceError
 */
export async function showAllCompliance(
  { client, teamId, connectionId }: ReadFrom,
  start: number,
  { signal, ...shown }: ShowInput,
  dependencies: ShowDependencies,
): Promise<Message> {
  const listed = await listAllPolicies(client, signal);
  const policies = listed ?? (await dependencies.listKnownPolicies({ teamId, connectionId }));
  if (!listed && policies.length === 0) return policiesNotListed;
  const readings = await readAllCompliance(client, policies.slice(0, maxPolicies), signal);
  const history = await readListHistory(readings, { connectionId, ...shown }, dependencies);
  const unreadCount = policies.length - readings.length;
  return complianceListMessage(readings, {
    unreadCount,
    start,
    history,
    isListed: listed !== undefined,
  });
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
  dependencies: ShowDependencies,
): Promise<Message> {
  const { client, teamId, connectionId } = service;
  const { signal } = input;
  const listed = await listAllPolicies(client, signal);
  const policies = listed ?? (await dependencies.listKnownPolicies({ teamId, connectionId }));
  const found = findPolicy(policies, nameOrId);
  switch (found.result) {
    case 'found': {
      const shown = await showPolicy(service, found.policy, input, dependencies);
      return shown ?? noStatisticsMessage(found.policy);
    }
    case 'several':
      return severalPoliciesMessage(nameOrId, found.policies);
    case 'none': {
      if (listed) return unknownPolicyMessage(nameOrId, found.nearest);
      const policy = { id: nameOrId, name: nameOrId };
      const shown = await showPolicy(service, policy, input, undefined);
      return shown ?? unlistedPolicyUnknownMessage(nameOrId);
    }
  }
}

/**
 * Undefined if the service has no statistics of the policy. Without a history if Belay doesn't know the
 * policy, because then nobody reads it every day.
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
