import type { ServiceClient } from '../../../dataprotection/client.ts';
import {
  MethodNotAllowedError,
  NotFoundError,
  OperationUnavailableError,
} from '../../../dataprotection/http/errors.ts';
import {
  type Policy,
  type PolicyDefinition,
  readPolicy,
  writablePolicy,
} from '../../../dataprotection/resources/policies.ts';
import { listAllPolicies } from '../../compliance/index.ts';

/** `not-offered`: the service shows neither one policy nor a list, so nothing can be compared. */
type CurrentPolicy =
  | { result: 'found'; policy: Policy }
  | { result: 'gone' }
  | { result: 'not-offered' };

const readMs = 10_000;

/**
 * The policy as the service has it now, by its id or through the list.
 * @throws {ServiceError}
 */
export async function readCurrentPolicy(
  client: ServiceClient,
  policyId: string,
  signal = AbortSignal.timeout(readMs),
): Promise<CurrentPolicy> {
  try {
    return { result: 'found', policy: await readPolicy(client, policyId, { signal }) };
  } catch (error) {
    // An error without a status means that the list was read and the policy isn't in it.
    if (error instanceof NotFoundError && error.status === undefined) return { result: 'gone' };
    const isRefused = error instanceof NotFoundError || error instanceof MethodNotAllowedError;
    if (!isRefused) throw error;
  }
  // A 404 can mean that there is no such policy, or no such endpoint.
  const listed = await listAllPolicies(client, signal);
  if (!listed) return { result: 'not-offered' };
  const policy = listed.find(({ id }) => id === policyId);
  return policy ? { result: 'found', policy } : { result: 'gone' };
}

/** One reading of a policy; `definition` is what a change rests on, and what a replacement sends. */
export type PolicySubject = { policy: Policy; definition: PolicyDefinition };

/**
 * Undefined if the policy is gone.
 * @throws {OperationUnavailableError} if the service shows no policies.
 * @throws {ServiceError}
 */
export async function readPolicySubject(
  client: ServiceClient,
  policyId: string,
): Promise<PolicySubject | undefined> {
  const current = await readCurrentPolicy(client, policyId);
  if (current.result === 'not-offered') {
    const request = 'GET /policies/definitions';
    throw new OperationUnavailableError('not offered', { request, mayHaveActed: false });
  }
  return current.result === 'found' ? subjectOf(client, current.policy) : undefined;
}

export function subjectOf(client: ServiceClient, policy: Policy): PolicySubject {
  return { policy, definition: writablePolicy(client, policy) };
}
