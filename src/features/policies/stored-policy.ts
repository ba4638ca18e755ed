import { z } from 'zod';
import { isJsonObject, type JsonObject, UnroundedNumber } from '../../dataprotection/json.ts';
import type { Policy, PolicyDefinition } from '../../dataprotection/resources/policies.ts';
import type { Duration, Sla, SlaSet } from '../../dataprotection/resources/policy-schema.ts';

/** Not `z.record`, which leaves out a field named `__proto__`: a replacement must not lose any. */
const jsonObject = z.custom<JsonObject>(isJsonObject);

const duration: z.ZodType<Duration> = z.object({
  units: z.string().optional(),
  value: z.number().optional(),
  otherFields: jsonObject.exactOptional(),
});

const sla: z.ZodType<Sla> = z.object({
  rpoFrequency: duration.optional(),
  retentionDuration: duration.optional(),
  otherFields: jsonObject.exactOptional(),
});

const slaSet: z.ZodType<SlaSet> = z.object({
  operation: z.string().optional(),
  seedSetting: z.string().optional(),
  slas: z.array(sla),
  otherFields: jsonObject.exactOptional(),
});

/** A `PolicyDefinition` as a JSON column stores it, unknown fields included. */
export const storedDefinitionSchema: z.ZodType<PolicyDefinition> = z.object({
  name: z.string(),
  slaSets: z.array(slaSet),
  otherFields: jsonObject.exactOptional(),
});

/** The same for a `Policy`. */
export const storedPolicySchema: z.ZodType<Policy> = z.object({
  id: z.string(),
  name: z.string(),
  slaSets: z.array(slaSet),
  otherFields: jsonObject,
});

/** The payload of a request to create a policy. */
export const createPayload = z.object({
  after: storedDefinitionSchema,
  /** What is shown and sent, as `formatRequestBody` writes it. */
  body: jsonObject,
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
  body: jsonObject,
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
