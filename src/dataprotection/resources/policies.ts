import { z } from 'zod';
import type { CallOptions, ServiceClient } from '../client.ts';
import { dialectRules } from '../dialects/dialect.ts';
import { NotFoundError, ServiceError } from '../http/errors.ts';
import { describeRequest, requestPath } from '../http/request-path.ts';
import { isJsonObject, type JsonObject, parseExactJson } from '../json.ts';
import { idSchema } from '../lenient-object.ts';
import { listPages } from '../paging/list-pages.ts';
import type { Page } from '../paging/page.ts';
import {
  createPolicySchema,
  type Policy,
  type PolicyDefinition,
  policyBody,
  without,
} from './policy-schema.ts';
import { type PollOptions, pollTask, type Task } from './tasks.ts';

export type { Policy, PolicyDefinition } from './policy-schema.ts';

const policySchemas = {
  documented: createPolicySchema(dialectRules.documented.policy),
  live: createPolicySchema(dialectRules.live.policy),
};

const definitions = ['policies', 'definitions'];

/**
 * All policies, page by page. The contract only implies this list (§1 What the service does).
 * @throws {NotFoundError | MethodNotAllowedError} if the service has no such list.
 */
export function listPolicies(
  client: ServiceClient,
  options: CallOptions = {},
): AsyncGenerator<Page<Policy>> {
  const itemSchema = policySchemas[client.dialect];
  return listPages(client, { target: definitions, itemSchema, parse: parseExactJson }, options);
}

/**
 * One policy. The contract has no such endpoint: on the documented dialect this searches the list.
 * @throws {NotFoundError} if there is no such policy.
 */
export async function readPolicy(
  client: ServiceClient,
  policyId: string,
  options: CallOptions = {},
): Promise<Policy> {
  const target = [...definitions, policyId];
  if (dialectRules[client.dialect].readsOnePolicy) {
    const { signal } = options;
    const request = { method: 'GET', target, parse: parseExactJson, signal } as const;
    return client.send(request, policySchemas[client.dialect]);
  }
  for await (const { items } of listPolicies(client, options)) {
    const policy = items.find(({ id }) => id === policyId);
    if (policy) return policy;
  }
  const request = describeRequest('GET', client.baseUrl, requestPath(client.baseUrl, target));
  throw new NotFoundError('not in the list of policies', { request, mayHaveActed: false });
}

/**
 * Creates a policy and returns it with its id (§4 Endpoints: POST /policies/definitions). `body` is
 * sent as it is: the JSON of a `policyRequestBody`.
 * @throws {ServiceError} with `mayHaveActed` if trying again may create a second policy.
 */
export function createPolicy(
  client: ServiceClient,
  body: string,
  { signal }: CallOptions = {},
): Promise<Policy> {
  const schema = policySchemas[client.dialect];
  return client.send({ method: 'POST', target: definitions, body, signal }, schema);
}

/** The policy without the fields that only the service writes: what a replacement sends of it. */
export function writablePolicy(
  client: ServiceClient,
  { name, slaSets, otherFields = {} }: PolicyDefinition,
): PolicyDefinition {
  const { readOnlyFields, readOnlySlaFields } = dialectRules[client.dialect].policy;
  return {
    name,
    slaSets: slaSets.map((slaSet) => ({
      ...slaSet,
      otherFields: without(slaSet.otherFields ?? {}, readOnlySlaFields),
    })),
    otherFields: without(otherFields, readOnlyFields),
  };
}

/** What creating the policy, or replacing another one with it, sends. */
export function policyRequestBody(client: ServiceClient, definition: PolicyDefinition): JsonObject {
  return policyBody(definition, dialectRules[client.dialect].policy);
}

/** Whether another change of the policy is under way: the service refuses to change it (§10). */
export function isLocked({ otherFields }: Pick<Policy, 'otherFields'>): boolean {
  return otherFields.lock_status === 'updating' || otherFields.lock_status === 'deleting';
}

/**
 * The outcome of a replacement that the service accepted. `unconfirmed`: the outcome couldn't be
 * read, so the change may or may not have taken effect.
 */
export type PolicyReplacement =
  | { outcome: 'replaced' }
  | { outcome: 'failed' | 'aborted'; task: Task }
  | { outcome: 'still-running'; taskId: string }
  | { outcome: 'unconfirmed'; error: ServiceError };

/**
 * Replaces a whole policy (§4 Endpoints: PUT /policies/definitions/{policy_id}) with `body` as it is:
 * the JSON of a `policyRequestBody`. On the live dialect the change runs in the background, so this
 * polls its task. Read the policy to see what changed.
 * @throws {ConflictError} while the policy is locked by another change.
 */
export async function replacePolicy(
  client: ServiceClient,
  policyId: string,
  body: string,
  pollOptions: PollOptions = {},
): Promise<PolicyReplacement> {
  const { signal } = pollOptions;
  const target = [...definitions, policyId];
  const request = { method: 'PUT', target, body, signal } as const;
  if (!dialectRules[client.dialect].replacesInBackground) {
    await client.send(request, policySchemas[client.dialect]);
    return { outcome: 'replaced' };
  }

  const taskId = await client.send(request, taskIdSchema);
  if (taskId === undefined) return { outcome: 'replaced' };
  try {
    const result = await pollTask(client, taskId, pollOptions);
    return result.outcome === 'completed' ? { outcome: 'replaced' } : result;
  } catch (error) {
    // A thrown error would mean that nothing was changed.
    if (error instanceof ServiceError) return { outcome: 'unconfirmed', error };
    throw error;
  }
}

/** The response shows the old policy, so only its task id is used. */
const taskIdSchema = z
  .unknown()
  .transform((response) =>
    isJsonObject(response) ? idSchema.safeParse(response.task_id).data : undefined,
  );
