import type { ServiceClient } from '../../dataprotection/client.ts';
import { ServiceError } from '../../dataprotection/http/errors.ts';
import { listAllPolicies, readAllCompliance } from '../compliance/index.ts';
import { baselineOf, lastReading } from './compliance-basis.ts';
import type {
  ComplianceSamples,
  EarlierSample,
  KeptSample,
  PolicySample,
} from './compliance-samples.ts';
import type { ComplianceNews } from './digest-contents.ts';
import { otherwiseTold, policyChanges } from './policy-changes.ts';

/** More policies than this are not read unasked: each costs the service a request. */
const maxRead = 100;

export type PolicyReadings = {
  /** Without a number, where the service keeps no statistics. */
  readings: PolicySample[];
  /** Those that the service failed to tell of. */
  failed: PolicySample['policy'][];
  /** Of all policies that there are, read or not. */
  policyIds: string[];
  /** Of policies left out because there are so many. */
  unreadCount: number;
};

/** How each policy is kept now. Undefined when the service lists none. Throws `ServiceError`. */
export async function readPolicySamples(
  client: ServiceClient,
  signal: AbortSignal,
): Promise<PolicyReadings | undefined> {
  const policies = await listAllPolicies(client, signal);
  if (!policies || policies.length === 0) return undefined;
  const all = await readAllCompliance(client, policies.slice(0, maxRead), signal);
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

type Earlier = {
  before: EarlierSample[];
  /** It was told that there are none, so that nothing is left of those before. */
  toldNone: boolean;
  connectionId: string;
};

/** What the next digest compares with. */
export type ComplianceBaseline = {
  samples: KeptSample[];
  /** Undefined when it is not known. */
  policyCount: number | undefined;
};

export type Collected = { news: ComplianceNews; baseline: ComplianceBaseline };

/**
 * Compliance now, what has changed, and what the next digest compares with. That it cannot be read is
 * told in the digest, and keeps back nothing of the rest.
 */
export async function collectCompliance(
  client: ServiceClient,
  {
    canCancel,
    signal,
    ...earlier
  }: Earlier & Pick<ComplianceSamples, 'canCancel'> & { signal: AbortSignal },
): Promise<Collected> {
  const { toldNone, connectionId } = earlier;
  const before = toldNone ? [] : earlier.before;
  try {
    const read = await readPolicySamples(client, signal);
    if (!read) {
      const news = { result: 'no-policies' as const, hasBefore: isOf(connectionId, before) };
      return { news, baseline: { samples: [], policyCount: 0 } };
    }
    const { readings, unreadCount, failed } = read;
    const hasBefore = isComparable(earlier, read);
    const known = hasBefore ? before : [];
    // One that cannot be kept would be new each time.
    const comparable = {
      ...read,
      readings: readings.filter(({ policy }) => canCancel(policy.id)),
      failed: failed.filter(({ id }) => canCancel(id)),
    };
    const changes = hasBefore ? policyChanges(before, comparable) : [];
    const otherwiseCount = otherwiseTold(known, comparable.readings).length;
    const counts = { unreadCount, failedCount: failed.length, otherwiseCount };
    return {
      news: { result: 'read', readings, ...counts, changes, hasBefore },
      baseline: { samples: baselineOf(read, known), policyCount: read.policyIds.length },
    };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const policyCount = toldNone ? 0 : undefined;
    return { news: { result: 'failed' }, baseline: { samples: lastReading(before), policyCount } };
  }
}

/** An earlier connection of which no policy is there any more was another tenant's. */
function isComparable(
  { before, toldNone, connectionId }: Earlier,
  { policyIds }: PolicyReadings,
): boolean {
  if (toldNone) return true;
  const isKnown = before.some(({ policy }) => policyIds.includes(policy.id));
  return isKnown || isOf(connectionId, before);
}

function isOf(connectionId: string, before: EarlierSample[]): boolean {
  return before.some((sample) => sample.connectionId === connectionId);
}
