import { z } from 'zod';
import type { PolicyNames } from '../dialects/dialect-rules.ts';
import { transformFast } from '../fast-path.ts';
import type { JsonObject } from '../json.ts';
import { idSchema, lenientObject, optional } from '../lenient-object.ts';

/** A backup policy (§2 Resources and their fields). A policy without a name is named by its id. */
export type Policy = {
  id: string;
  name: string;
  slaSets: SlaSet[];
  otherFields: Record<string, unknown>;
};

/**
 * The new content of a policy. For a change pass the whole policy as it was read, `otherFields`
 * included: a replacement removes every field that it leaves out.
 */
export type PolicyDefinition = Pick<Policy, 'name' | 'slaSets'> & {
  otherFields?: Record<string, unknown>;
};

/** `value` counts `units`, an open set of the service's own words, such as `year`. */
export type Duration = {
  units?: string | undefined;
  value?: number | undefined;
  otherFields?: Record<string, unknown>;
};

/** The recovery point objective and how long a backup is retained; either may be missing. */
export type Sla = {
  rpoFrequency?: Duration | undefined;
  retentionDuration?: Duration | undefined;
  otherFields?: Record<string, unknown>;
};

/** What a policy protects and how. `operation` and `seedSetting` are open sets. */
export type SlaSet = {
  operation?: string | undefined;
  seedSetting?: string | undefined;
  slas: Sla[];
  otherFields?: Record<string, unknown>;
};

/** Parses a policy with the field names of a dialect. */
export function createPolicySchema(names: PolicyNames) {
  return transformFast(
    lenientObject(
      {
        id: idSchema,
        name: optional(z.string()),
        slaSets: optional(z.array(createSlaSetSchema(names))),
      },
      { slaSets: names.slaSets },
    ),
    ({ name, slaSets = [], ...policy }): Policy => ({
      ...policy,
      name: name ?? policy.id,
      slaSets,
    }),
  );
}

function createSlaSetSchema(names: PolicyNames) {
  const duration = optional(
    lenientObject(
      { units: optional(z.string()), value: optional(z.number()) },
      { units: names.units },
    ),
  );
  return transformFast(
    lenientObject(
      {
        operation: optional(z.string()),
        seedSetting: optional(z.string()),
        slas: optional(
          z.array(lenientObject({ rpoFrequency: duration, retentionDuration: duration })),
        ),
      },
      { operation: names.operation, seedSetting: names.seedSetting },
    ),
    ({ slas = [], ...slaSet }): SlaSet => ({ ...slaSet, slas }),
  );
}

/** The request body for a policy, without the fields that only the service writes. */
export function policyBody(
  { name, slaSets, otherFields }: PolicyDefinition,
  names: PolicyNames,
): JsonObject {
  return {
    name,
    [names.slaSets]: slaSets.map((slaSet) => slaSetBody(slaSet, names)),
    ...without(otherFields ?? {}, names.readOnlyFields),
  };
}

/**
 * Includes the fields that could not be parsed: a replacement must not lose them, unless a value was
 * set in their place.
 */
function slaSetBody(
  { operation, seedSetting, slas, otherFields }: SlaSet,
  names: PolicyNames,
): JsonObject {
  return {
    slas: slas.map((sla) => slaBody(sla, names)),
    ...without(otherFields ?? {}, names.readOnlySlaFields),
    ...given({ [names.operation]: operation, [names.seedSetting]: seedSetting }),
  };
}

function slaBody(
  { rpoFrequency, retentionDuration, otherFields }: Sla,
  names: PolicyNames,
): JsonObject {
  return {
    ...otherFields,
    ...given({
      rpo_frequency: rpoFrequency && durationBody(rpoFrequency, names),
      retention_duration: retentionDuration && durationBody(retentionDuration, names),
    }),
  };
}

function durationBody({ units, value, otherFields }: Duration, names: PolicyNames): JsonObject {
  return { ...otherFields, ...given({ [names.units]: units, value }) };
}

function given(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

export function without(object: JsonObject, names: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.has(name)));
}
