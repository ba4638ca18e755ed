import type { ServiceClient } from '../../dataprotection/client.ts';
import { ServiceError } from '../../dataprotection/errors.ts';
import { listAllPolicies, readAllCompliance } from '../compliance/compliance.ts';
import type { ComplianceNews, PolicyChange } from './digest-contents.ts';
import type { PolicySample } from './digest-store.ts';

/** More policies than this are not read unasked: each costs the service a request. */
const readAtMost = 100;

/** How each policy is kept now. Undefined when the service lists none. Throws `ServiceError`. */
export async function readPolicySamples(
  client: ServiceClient,
  signal: AbortSignal,
): Promise<{ readings: PolicySample[]; unreadCount: number } | undefined> {
  const policies = await listAllPolicies(client, signal);
  if (!policies || policies.length === 0) return undefined;
  const all = await readAllCompliance(client, policies.slice(0, readAtMost), signal);
  const readings = all.flatMap(({ policy: { id, name }, reading }) => {
    if (reading.outcome !== 'read') return [];
    const { otherFields: _, hasSeedingEntities: __, ...statistics } = reading.statistics;
    return [{ policy: { id, name }, statistics }];
  });
  const failed = all.filter(({ reading }) => reading.outcome === 'failed');
  return { readings, unreadCount: policies.length - all.length + failed.length };
}

/**
 * Compliance now and what has changed. That it cannot be read is told in the digest, and keeps back
 * nothing of the rest.
 */
export async function collectCompliance(
  client: ServiceClient,
  { before, signal }: { before: PolicySample[]; signal: AbortSignal },
): Promise<ComplianceNews> {
  try {
    const read = await readPolicySamples(client, signal);
    if (!read) return { result: 'no-policies' };
    const changes = changesBetween(before, read.readings);
    return { result: 'read', ...read, changes, hasBefore: before.length > 0 };
  } catch (error) {
    if (error instanceof ServiceError) return { result: 'failed' };
    throw error;
  }
}

/** A policy that is new, or of which the service tells no number, has not changed. */
function changesBetween(before: PolicySample[], now: PolicySample[]): PolicyChange[] {
  const earlier = new Map(before.map((sample) => [sample.policy.id, sample.statistics]));
  return now
    .flatMap(({ policy, statistics }) => {
      const nonCompliantBefore = earlier.get(policy.id)?.nonCompliantCount;
      const nonCompliantNow = statistics.nonCompliantCount;
      if (nonCompliantBefore === undefined || nonCompliantNow === undefined) return [];
      if (nonCompliantBefore === nonCompliantNow) return [];
      return [{ name: policy.name, nonCompliantBefore, nonCompliantNow }];
    })
    .sort((one, other) => rise(other) - rise(one));
}

function rise({ nonCompliantBefore, nonCompliantNow }: PolicyChange): number {
  return nonCompliantNow - nonCompliantBefore;
}
