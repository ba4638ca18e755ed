import { z } from 'zod';
import type { JsonObject } from './json.ts';
import { lenientObject, optional } from './lenient-object.ts';

/** `value` counts `units`, which are the service's own word, such as `year`. */
export type Duration = {
  units?: string | undefined;
  value?: number | undefined;
  otherFields?: Record<string, unknown>;
};

/** How much loss is tolerated and how long a backup is kept; a service may send one of the two. */
export type Sla = {
  rpoFrequency?: Duration | undefined;
  retentionDuration?: Duration | undefined;
  otherFields?: Record<string, unknown>;
};

/** What a policy protects and how. `operation` and `seedSetting` are open sets of words. */
export type SlaSet = {
  operation?: string | undefined;
  seedSetting?: string | undefined;
  slas: Sla[];
  otherFields?: Record<string, unknown>;
};

const durationSchema = lenientObject({
  units: optional(z.string()),
  value: optional(z.number()),
}).transform(({ fields, otherFields }): Duration => ({ ...fields, otherFields }));

const slaSchema = lenientObject({
  rpo_frequency: optional(durationSchema),
  retention_duration: optional(durationSchema),
}).transform(
  ({ fields, otherFields }): Sla => ({
    rpoFrequency: fields.rpo_frequency,
    retentionDuration: fields.retention_duration,
    otherFields,
  }),
);

export const slaSetSchema = lenientObject({
  operation: optional(z.string()),
  seed_setting: optional(z.string()),
  slas: optional(z.array(slaSchema)),
}).transform(
  ({ fields, otherFields }): SlaSet => ({
    operation: fields.operation,
    seedSetting: fields.seed_setting,
    slas: fields.slas ?? [],
    otherFields,
  }),
);

/** The wire form. What could not be read goes back as it came: a replacement must not lose it. */
export function slaSetBody({ operation, seedSetting, slas, otherFields }: SlaSet): JsonObject {
  return { operation, seed_setting: seedSetting, slas: slas.map(slaBody), ...otherFields };
}

function slaBody({ rpoFrequency, retentionDuration, otherFields }: Sla): JsonObject {
  return {
    rpo_frequency: rpoFrequency && durationBody(rpoFrequency),
    retention_duration: retentionDuration && durationBody(retentionDuration),
    ...otherFields,
  };
}

function durationBody({ units, value, otherFields }: Duration): JsonObject {
  return { units, value, ...otherFields };
}
