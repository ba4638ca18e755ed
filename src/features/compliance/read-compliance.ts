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
import { listPolicies, type Policy } from '../../dataprotection/resources/policies.ts';
import type { PolicySample } from './policy-sample.ts';

export type PolicyName = { id: string; name: string };

/** Those that Belay knows of a connection whose service lists none; another feature keeps them. */
export type ListKnownPolicies = (connection: {
  teamId: string;
  connectionId: string;
}) => Promise<PolicyName[]>;

export type Reading =
  | { outcome: 'read'; statistics: ComplianceStatistics }
  /** The service has no statistics for this policy. */
  | { outcome: 'none' }
  | { outcome: 'failed'; error: ServiceError };

export type PolicyReading = { policy: PolicyName; reading: Reading };

/** Each policy costs the service a request, so the others are left out. */
export const maxPolicies = 100;

const maxConcurrent = 4;

/**
 * All policies; undefined if the service does not offer a list of them. A list that shrinks while it is
 * read is read once more.
 *
 * @throws ServiceError
 */
export async function listAllPolicies(
  client: ServiceClient,
  signal: AbortSignal,
): Promise<Policy[] | undefined> {
  const first = await listOnce(client, signal);
  const list = first?.hasShrunk ? await listOnce(client, signal) : first;
  return list?.policies;
}

async function listOnce(client: ServiceClient, signal: AbortSignal) {
  // A policy that is added moves another to the next page, where it is read again.
  const policies = new Map<string, Policy>();
  let total = 0;
  // A policy that leaves the list moves another from the next page to the one already read.
  let hasShrunk = false;
  try {
    for await (const { items, totalCount = total } of listPolicies(client, { signal })) {
      for (const policy of items) policies.set(policy.id, policy);
      hasShrunk ||= totalCount < total;
      total = totalCount;
    }
    return { policies: [...policies.values()], hasShrunk };
  } catch (error) {
    const isNotOffered = error instanceof NotFoundError || error instanceof MethodNotAllowedError;
    if (isNotOffered && policies.size === 0) return undefined;
    throw error;
  }
}

/**
 * The statistics of every policy, in order, one request each. A failure is part of the result.
 *
 * @throws ServiceError if all of them fail
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
  await Promise.all(Array.from({ length: maxConcurrent }, work));

  const [first] = readings;
  const haveAllFailed = readings.every(({ reading }) => reading.outcome === 'failed');
  if (first?.reading.outcome === 'failed' && haveAllFailed) throw first.reading.error;
  return readings;
}

/** @throws CredentialsRefusedError, because the next policy would fail in the same way */
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
  listKnown: () => Promise<PolicyName[]>,
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
