import type { ServiceClient } from '../../../dataprotection/client.ts';
import { ServiceError } from '../../../dataprotection/http/errors.ts';
import {
  canStoreSample,
  lastReading,
  type NewSample,
  nextBaseline,
  type PolicyReadings,
  readPolicySamples,
  type StoredSample,
} from '../../compliance/index.ts';
import { incomparablePolicies, policyChanges } from './compare-policies.ts';
import type { ComplianceReport } from './digest-contents.ts';

/** What the compliance section of the next digest is compared with. */
export type ComplianceBaseline = {
  samples: NewSample[];
  /** Undefined if unknown. */
  policyCount: number | undefined;
};

type PreviousReading = {
  before: StoredSample[];
  /** The last digest reported that there are no policies, so older samples do not count. */
  hadNoPolicies: boolean;
  connectionId: string;
};

/**
 * Compliance now, what has changed, and what the next digest compares with. A service error becomes
 * part of the report: the rest of the digest is still worth posting.
 */
export async function collectCompliance(
  client: ServiceClient,
  { signal, ...earlier }: PreviousReading & { signal: AbortSignal },
): Promise<{ report: ComplianceReport; baseline: ComplianceBaseline }> {
  const { hadNoPolicies, connectionId } = earlier;
  const before = hadNoPolicies ? [] : earlier.before;
  try {
    const read = await readPolicySamples(client, signal);
    if (!read) {
      const hasBaseline = hasSamplesOf(connectionId, before);
      const report = { result: 'no-policies' as const, hasBaseline };
      return { report, baseline: { samples: [], policyCount: 0 } };
    }
    const { readings, unreadCount, failed } = read;
    const hasBaseline = isComparable(earlier, read);
    const known = hasBaseline ? before : [];
    // A policy of which no sample can be stored would be new in each digest.
    const comparable = {
      ...read,
      readings: readings.filter(({ policy }) => canStoreSample(policy.id)),
      failed: failed.filter(({ id }) => canStoreSample(id)),
    };
    const changes = hasBaseline ? policyChanges(before, comparable) : [];
    const incomparableCount = incomparablePolicies(known, comparable.readings).length;
    const counts = { unreadCount, failedCount: failed.length, incomparableCount };
    return {
      report: { result: 'read', readings, ...counts, changes, hasBaseline },
      baseline: { samples: nextBaseline(read, known), policyCount: read.policyIds.length },
    };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const policyCount = hadNoPolicies ? 0 : undefined;
    const samples = lastReading(before).map((one) => ({ ...one, isCarriedOver: true }));
    const baseline = { samples, policyCount };
    return { report: { result: 'failed' }, baseline };
  }
}

/** If none of an earlier connection's policies exists now, that connection was another tenant's. */
function isComparable(
  { before, hadNoPolicies, connectionId }: PreviousReading,
  { policyIds }: PolicyReadings,
): boolean {
  if (hadNoPolicies) return true;
  const isKnown = before.some(({ policy }) => policyIds.includes(policy.id));
  return isKnown || hasSamplesOf(connectionId, before);
}

function hasSamplesOf(connectionId: string, samples: StoredSample[]): boolean {
  return samples.some((sample) => sample.connectionId === connectionId);
}
