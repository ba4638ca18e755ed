import type { ServiceClient } from '../../dataprotection/client.ts';
import {
  CredentialsRefusedError,
  MethodNotAllowedError,
  NotFoundError,
  ServiceError,
} from '../../dataprotection/http/errors.ts';
import {
  type ComplianceStatistics,
  readEbsCompliance,
} from '../../dataprotection/resources/compliance.ts';

export type PolicyName = { id: string; name: string };

export type Reading =
  | { outcome: 'read'; statistics: ComplianceStatistics }
  /** The service keeps none for this policy. */
  | { outcome: 'none' }
  | { outcome: 'failed'; error: ServiceError };

export type PolicyReading = { policy: PolicyName; reading: Reading };

const atOnce = 4;

/**
 * The statistics of every policy, in order. One that fails does not spoil the others; throws
 * `ServiceError` when nothing but failures came back.
 */
export async function readAllCompliance(
  client: ServiceClient,
  policies: PolicyName[],
  signal: AbortSignal,
): Promise<PolicyReading[]> {
  const readings: PolicyReading[] = [];
  const queue = policies.entries();
  async function work() {
    for (const [index, policy] of queue) {
      readings[index] = { policy, reading: await readCompliance(client, policy.id, signal) };
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work));

  const [first] = readings;
  const isAllLost = readings.every(({ reading }) => reading.outcome === 'failed');
  if (first?.reading.outcome === 'failed' && isAllLost) throw first.reading.error;
  return readings;
}

/** Throws `CredentialsRefusedError`, which holds for all policies alike. */
export async function readCompliance(
  client: ServiceClient,
  policyId: string,
  signal: AbortSignal,
): Promise<Reading> {
  try {
    return { outcome: 'read', statistics: await readEbsCompliance(client, policyId, { signal }) };
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof MethodNotAllowedError) {
      return { outcome: 'none' };
    }
    if (!(error instanceof ServiceError) || error instanceof CredentialsRefusedError) throw error;
    return { outcome: 'failed', error };
  }
}
