import type { ServiceClient } from '../../dataprotection/client.ts';
import { MethodNotAllowedError, NotFoundError } from '../../dataprotection/http/errors.ts';
import { listPolicies, type Policy } from '../../dataprotection/resources/policies.ts';

/** All policies; undefined when the service does not offer their list. */
export async function listAllPolicies(
  client: ServiceClient,
  signal: AbortSignal,
): Promise<Policy[] | undefined> {
  const policies: Policy[] = [];
  try {
    for await (const { items } of listPolicies(client, { signal })) policies.push(...items);
    return policies;
  } catch (error) {
    const isNotOffered = error instanceof NotFoundError || error instanceof MethodNotAllowedError;
    if (isNotOffered && policies.length === 0) return undefined;
    throw error;
  }
}
