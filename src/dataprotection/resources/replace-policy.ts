import { z } from 'zod';
import type { ServiceClient } from '../client.ts';
import { wireFormat } from '../dialects/wire-format.ts';
import { ServiceError } from '../http/errors.ts';
import { isJsonObject } from '../json.ts';
import { idSchema } from '../lenient-object.ts';
import {
  definitions,
  type Policy,
  type PolicyDefinition,
  policySchemas,
  readPolicy,
} from './policies.ts';
import { policyBody } from './policy-schema.ts';
import { pollTask, type Task, type TaskPatience } from './tasks.ts';

/**
 * How a replacement that the service accepted went on. `unconfirmed`: what became of it could not
 * be read, so it may or may not have taken effect.
 */
export type PolicyReplacement =
  | { outcome: 'replaced'; policy: Policy }
  | { outcome: 'failed' | 'aborted'; task: Task }
  | { outcome: 'still-running'; taskId: string }
  | { outcome: 'unconfirmed'; error: ServiceError };

/**
 * Replaces a policy whole (contract, section 4: PUT /policies/definitions/{policy_id}). Where the
 * service answers before it has done so, this follows its task and reads the policy again. Throws
 * `ConflictError` while the policy is locked by another change.
 */
export async function replacePolicy(
  client: ServiceClient,
  policyId: string,
  definition: PolicyDefinition,
  patience: TaskPatience = {},
): Promise<PolicyReplacement> {
  const { policy: names, replacesInBackground } = wireFormat(client.dialect);
  const { signal } = patience;
  const target = [...definitions, policyId];
  const request = { method: 'PUT', target, body: policyBody(definition, names), signal } as const;
  if (!replacesInBackground) {
    return {
      outcome: 'replaced',
      policy: await client.send(request, policySchemas[client.dialect]),
    };
  }

  const taskId = await client.send(request, taskIdSchema);
  try {
    const ended = taskId === undefined ? undefined : await pollTask(client, taskId, patience);
    if (ended && ended.outcome !== 'completed') return ended;
    return { outcome: 'replaced', policy: await readPolicy(client, policyId, { signal }) };
  } catch (error) {
    // Thrown, it would say that nothing was changed.
    if (error instanceof ServiceError) return { outcome: 'unconfirmed', error };
    throw error;
  }
}

/** The answer shows the policy as it was; only its task is of use. */
const taskIdSchema = z
  .unknown()
  .transform((answer) =>
    isJsonObject(answer) ? idSchema.safeParse(answer.task_id).data : undefined,
  );
