import { z } from 'zod';
import type { CallOptions, ServiceClient } from './client.ts';
import type { JsonObject } from './json.ts';
import { idSchema, lenientObject, optional } from './lenient-object.ts';
import type { Page } from './page.ts';
import { listPages } from './paging.ts';
import { type SlaSet, slaSetBody, slaSetSchema } from './sla-set.ts';

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

const policySchema = lenientObject({
  id: idSchema,
  name: optional(z.string()),
  sla_sets: optional(z.array(slaSetSchema)),
}).transform(
  ({ fields, otherFields }): Policy => ({
    id: fields.id,
    name: fields.name ?? fields.id,
    slaSets: fields.sla_sets ?? [],
    otherFields,
  }),
);

const definitions = ['policies', 'definitions'];

/**
 * All policies, page by page. The contract implies this list without showing it (section 1,
 * CRUDL): a service without it throws `NotFoundError` or `MethodNotAllowedError`.
 */
export function listPolicies(
  client: ServiceClient,
  options: CallOptions = {},
): AsyncGenerator<Page<Policy>> {
  return listPages(client, { path: definitions, itemSchema: policySchema }, options);
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
  const body = policyBody(definition);
  return client.send({ method: 'POST', target: definitions, body, signal }, policySchema);
}

/**
 * Replaces a policy whole and returns what the service answers, which may still be the old state
 * where it works in the background (contract, section 4: PUT /policies/definitions/{policy_id}).
 */
export function replacePolicy(
  client: ServiceClient,
  policyId: string,
  definition: PolicyDefinition,
  { signal }: CallOptions = {},
): Promise<Policy> {
  const target = [...definitions, policyId];
  const body = policyBody(definition);
  return client.send({ method: 'PUT', target, body, signal }, policySchema);
}

function policyBody({ name, slaSets, otherFields }: PolicyDefinition): JsonObject {
  return { name, sla_sets: slaSets.map(slaSetBody), ...otherFields };
}
