import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../../dataprotection/json.ts';
import type { Policy, PolicyDefinition } from '../../dataprotection/resources/policies.ts';
import type { Duration, Sla, SlaSet } from '../../dataprotection/resources/policy-schema.ts';

/** Not `z.record`, which leaves out a field named `__proto__`: a replacement must not lose any. */
const otherFields = z.custom<JsonObject>(isJsonObject);

const duration: z.ZodType<Duration> = z.object({
  units: z.string().optional(),
  value: z.number().optional(),
  otherFields: otherFields.exactOptional(),
});

const sla: z.ZodType<Sla> = z.object({
  rpoFrequency: duration.optional(),
  retentionDuration: duration.optional(),
  otherFields: otherFields.exactOptional(),
});

const slaSet: z.ZodType<SlaSet> = z.object({
  operation: z.string().optional(),
  seedSetting: z.string().optional(),
  slas: z.array(sla),
  otherFields: otherFields.exactOptional(),
});

/** A `PolicyDefinition` as a JSON column stores it, unknown fields included. */
export const storedDefinitionSchema: z.ZodType<PolicyDefinition> = z.object({
  name: z.string(),
  slaSets: z.array(slaSet),
  otherFields: otherFields.exactOptional(),
});

/** The same for a `Policy`. */
export const storedPolicySchema: z.ZodType<Policy> = z.object({
  id: z.string(),
  name: z.string(),
  slaSets: z.array(slaSet),
  otherFields,
});
