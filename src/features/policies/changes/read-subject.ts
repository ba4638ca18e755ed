import type { ServiceClient } from '../../../dataprotection/client.ts';
import { OperationUnavailableError } from '../../../dataprotection/http/errors.ts';
import {
  isLocked,
  type Policy,
  type PolicyDefinition,
  writablePolicy,
} from '../../../dataprotection/resources/policies.ts';
import { readCurrentPolicy } from './read-current-policy.ts';

/** One reading of a policy; `definition` is what a change rests on, and what a replacement sends. */
export type PolicySubject = { policy: Policy; definition: PolicyDefinition; isLocked: boolean };

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
  return { policy, definition: writablePolicy(client, policy), isLocked: isLocked(policy) };
}
