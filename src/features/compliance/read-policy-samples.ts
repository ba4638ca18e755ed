import type { ServiceClient } from '../../dataprotection/client.ts';
import type { PolicySample } from './policy-sample.ts';
import {
  listAllPolicies,
  maxPolicies,
  type PolicyName,
  readAllCompliance,
} from './read-compliance.ts';

export type PolicyReadings = {
  /** Of policies without statistics, without counts. */
  readings: PolicySample[];
  /** Policies whose statistics the service failed to return. */
  failed: PolicySample['policy'][];
  /** Of all policies, read or not. */
  policyIds: string[];
  /** Number of policies left out because there are too many. */
  unreadCount: number;
};

/**
 * The compliance of all policies now: of those that `listKnown` returns if the service lists none.
 * Undefined if there are no policies.
 *
 * @throws ServiceError
 */
export async function readPolicySamples(
  client: ServiceClient,
  signal: AbortSignal,
  listKnown: () => Promise<PolicyName[]> = async () => [],
): Promise<PolicyReadings | undefined> {
  const policies = (await listAllPolicies(client, signal)) ?? (await listKnown());
  if (policies.length === 0) return undefined;
  const all = await readAllCompliance(client, policies.slice(0, maxPolicies), signal);
  const readings = all.flatMap(({ policy: { id, name }, reading }) => {
    if (reading.outcome === 'failed') return [];
    if (reading.outcome === 'none') return [{ policy: { id, name }, statistics: {} }];
    const { otherFields: _, hasSeedingEntities: __, ...statistics } = reading.statistics;
    return [{ policy: { id, name }, statistics }];
  });
  return {
    readings,
    failed: all.flatMap(({ policy: { id, name }, reading }) =>
      reading.outcome === 'failed' ? [{ id, name }] : [],
    ),
    policyIds: policies.map(({ id }) => id),
    unreadCount: policies.length - all.length,
  };
}
