import type { CallOptions, ServiceClient } from '../client.ts';
import { wireFormat } from '../dialects/wire-format.ts';
import { NotFoundError } from '../http/errors.ts';
import { describeRequest, requestPath } from '../http/request-path.ts';
import type { Page } from '../paging/page.ts';
import { listPages } from '../paging/paging.ts';
import { createPolicySchema, policyBody } from './policy-schema.ts';
import type { SlaSet } from './sla-set.ts';

/** A backup policy (contract, section 2). One that comes without a name is called by its id. */
export type Policy = {
  id: string;
  name: string;
  slaSets: SlaSet[];
  otherFields: Record<string, unknown>;
};

/**
 * A policy as it is to be. For a change pass the whole policy as it was read, `otherFields`
 * included: what a replacement leaves out, the service forgets.
 */
export type PolicyDefinition = Pick<Policy, 'name' | 'slaSets'> & {
  otherFields?: Record<string, unknown>;
};

export const policySchemas = {
  documented: createPolicySchema(wireFormat('documented').policy),
  live: createPolicySchema(wireFormat('live').policy),
};

export const definitions = ['policies', 'definitions'];

/**
 * All policies, page by page. The contract implies this list without showing it (section 1,
 * CRUDL): a service without it throws `NotFoundError` or `MethodNotAllowedError`.
 */
export function listPolicies(
  client: ServiceClient,
  options: CallOptions = {},
): AsyncGenerator<Page<Policy>> {
  const itemSchema = policySchemas[client.dialect];
  return listPages(client, { target: definitions, itemSchema }, options);
}

/**
 * One policy. The contract shows no such reading: where the dialect has none, this looks through the
 * list. Throws `NotFoundError` for no such id.
 */
export async function readPolicy(
  client: ServiceClient,
  policyId: string,
  options: CallOptions = {},
): Promise<Policy> {
  const target = [...definitions, policyId];
  if (wireFormat(client.dialect).readsOnePolicy) {
    const { signal } = options;
    return client.send({ method: 'GET', target, signal }, policySchemas[client.dialect]);
  }
  for await (const { items } of listPolicies(client, options)) {
    const policy = items.find(({ id }) => id === policyId);
    if (policy) return policy;
  }
  const request = describeRequest('GET', target, requestPath(client.baseUrl, target));
  throw new NotFoundError('the list has no such policy', { request, mayHaveActed: false });
}

/**
 * Creates a policy and returns it with the id that the service gave it (contract, section 4:
 * POST /policies/definitions). After a failure with `mayHaveActed`, trying again may create two.
 */
export function createPolicy(
  client: ServiceClient,
  definition: PolicyDefinition,
  { signal }: CallOptions = {},
): Promise<Policy> {
  const body = policyBody(definition, wireFormat(client.dialect).policy);
  const schema = policySchemas[client.dialect];
  return client.send({ method: 'POST', target: definitions, body, signal }, schema);
}
