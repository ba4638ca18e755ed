import { z } from 'zod';
import type { PolicyNames } from '../dialects/policy-names.ts';
import { type JsonObject, without } from '../json.ts';
import { lenientObject, optional } from '../lenient-object.ts';

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

export function createSlaSetSchema(names: PolicyNames) {
  const durationSchema = lenientObject(
    { units: optional(z.string()), value: optional(z.number()) },
    ({ fields, otherFields }): Duration => ({ ...fields, otherFields }),
    { units: names.units },
  );

  const slaSchema = lenientObject(
    {
      rpo_frequency: optional(durationSchema),
      retention_duration: optional(durationSchema),
    },
    ({ fields, otherFields }): Sla => ({
      rpoFrequency: fields.rpo_frequency,
      retentionDuration: fields.retention_duration,
      otherFields,
    }),
  );

  return lenientObject(
    {
      operation: optional(z.string()),
      seedSetting: optional(z.string()),
      slas: optional(z.array(slaSchema)),
    },
    ({ fields, otherFields }): SlaSet => ({ ...fields, slas: fields.slas ?? [], otherFields }),
    { operation: names.operation, seedSetting: names.seedSetting },
  );
}

/** The wire format. What could not be read goes back as it came: a replacement must not lose it. */
export function slaSetBody(
  { operation, seedSetting, slas, otherFields }: SlaSet,
  names: PolicyNames,
): JsonObject {
  return {
    [names.operation]: operation,
    [names.seedSetting]: seedSetting,
    slas: slas.map((sla) => slaBody(sla, names)),
    ...without(otherFields ?? {}, names.readOnlySlaFields),
  };
}

function slaBody(
  { rpoFrequency, retentionDuration, otherFields }: Sla,
  names: PolicyNames,
): JsonObject {
  return {
    rpo_frequency: rpoFrequency && durationBody(rpoFrequency, names),
    retention_duration: retentionDuration && durationBody(retentionDuration, names),
    ...otherFields,
  };
}

function durationBody({ units, value, otherFields }: Duration, names: PolicyNames): JsonObject {
  return { [names.units]: units, value, ...otherFields };
}
