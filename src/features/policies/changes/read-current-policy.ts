import type { ServiceClient } from '../../../dataprotection/client.ts';
import { MethodNotAllowedError, NotFoundError } from '../../../dataprotection/http/errors.ts';
import { type Policy, readPolicy } from '../../../dataprotection/resources/policies.ts';
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
