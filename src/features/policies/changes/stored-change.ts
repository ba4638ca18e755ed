import { z } from 'zod';
import { isJsonObject, type JsonObject, UnroundedNumber } from '../../../dataprotection/json.ts';
import type { PolicyDefinition } from '../../../dataprotection/resources/policies.ts';
import { storedDefinitionSchema } from '../stored-policy.ts';

const body = z.custom<JsonObject>(isJsonObject);

/** The payload of a request to create a policy. */
export const createPayload = z.object({
  after: storedDefinitionSchema,
  /** What is shown and sent, as `formatRequestBody` writes it. */
  body,
  /** The policies of this name at the request; undefined if the service lists none. */
  sameName: z.array(z.string()).optional(),
});
export type CreatePayload = z.infer<typeof createPayload>;

/** The payload of a request to replace a policy, or to revert a replacement. */
export const replacePayload = z.object({
  policyId: z.string(),
  /** Both without the fields that only the service writes. */
  before: storedDefinitionSchema,
  after: storedDefinitionSchema,
  /** What is shown and sent, as `formatRequestBody` writes it. */
  body,
  /** Other policies with the new name; undefined if the service lists none. */
  sameName: z.array(z.string()).optional(),
  /** The request whose change this one undoes. */
  undoes: z.uuid().optional(),
});
export type ReplacePayload = z.infer<typeof replacePayload>;

/**
 * Whether Belay sends and a JSON column holds the policy unchanged: no NUL, lone surrogates or infinite
 * numbers, and no numbers that JavaScript rounds.
 */
export function isStorable(definition: PolicyDefinition): boolean {
  const text = JSON.stringify(definition, function (this: JsonObject, key, value: unknown) {
    return isInexact(this[key]) ? '\0' : value;
  });
  // JSON.stringify writes both as escapes.
  return !/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/.test(text);
}

function isInexact(value: unknown): boolean {
  if (value instanceof UnroundedNumber) return true;
  if (typeof value !== 'number') return false;
  return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));
}
