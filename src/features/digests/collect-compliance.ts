import type { ServiceClient } from '../../dataprotection/client.ts';
import { ServiceError } from '../../dataprotection/errors.ts';
import { listAllPolicies, readAllCompliance } from '../compliance/compliance.ts';
import type { ComplianceSamples, EarlierSample, PolicySample } from './compliance-samples.ts';
import type { ComplianceNews } from './digest-contents.ts';
import { policyChanges } from './policy-changes.ts';

/** More policies than this are not read unasked: each costs the service a request. */
const readAtMost = 100;

export type PolicyReadings = {
  readings: PolicySample[];
  /** Of all policies that there are, read or not. */
  policyIds: string[];
  /** Of policies left out because there are so many. */
  unreadCount: number;
  failedCount: number;
};

/** How each policy is kept now. Undefined when the service lists none. Throws `ServiceError`. */
export async function readPolicySamples(
  client: ServiceClient,
  signal: AbortSignal,
): Promise<PolicyReadings | undefined> {
  const policies = await listAllPolicies(client, signal);
  if (!policies || policies.length === 0) return undefined;
  const all = await readAllCompliance(client, policies.slice(0, readAtMost), signal);
  const readings = all.flatMap(({ policy: { id, name }, reading }) => {
    if (reading.outcome !== 'read') return [];
    const { otherFields: _, hasSeedingEntities: __, ...statistics } = reading.statistics;
    return [{ policy: { id, name }, statistics }];
  });
  return {
    readings,
    policyIds: policies.map(({ id }) => id),
    unreadCount: policies.length - all.length,
    failedCount: all.filter(({ reading }) => reading.outcome === 'failed').length,
  };
}

type Earlier = { before: EarlierSample[]; connectionId: string };

/**
 * Compliance now and what has changed. That it cannot be read is told in the digest, and keeps back
 * nothing of the rest.
 */
export async function collectCompliance(
  client: ServiceClient,
  {
    before,
    connectionId,
    canKeep,
    signal,
  }: Earlier & Pick<ComplianceSamples, 'canKeep'> & { signal: AbortSignal },
): Promise<ComplianceNews> {
  try {
    const read = await readPolicySamples(client, signal);
    if (!read) return { result: 'no-policies', hasBefore: isOf(connectionId, before) };
    const { readings, unreadCount, failedCount } = read;
    const hasBefore = isComparable({ before, connectionId }, read);
    // One that cannot be kept would be new each time.
    const comparable = readings.filter(({ policy }) => canKeep(policy.id));
    const changes = hasBefore ? policyChanges(before, { ...read, readings: comparable }) : [];
    return { result: 'read', readings, unreadCount, failedCount, changes, hasBefore };
  } catch (error) {
    if (error instanceof ServiceError) return { result: 'failed' };
    throw error;
  }
}

/** An earlier connection of which no policy is there any more was another tenant's. */
function isComparable({ before, connectionId }: Earlier, { policyIds }: PolicyReadings): boolean {
  const isKnown = before.some(({ policy }) => policyIds.includes(policy.id));
  return isKnown || isOf(connectionId, before);
}

function isOf(connectionId: string, before: EarlierSample[]): boolean {
  return before.some((sample) => sample.connectionId === connectionId);
}
