import { z } from 'zod';
import type { PolicyNames } from '../dialects/policy-names.ts';
import { type JsonObject, without } from '../json.ts';
import { idSchema, lenientObject, optional } from '../lenient-object.ts';
import type { Policy, PolicyDefinition } from './policies.ts';
import { createSlaSetSchema, slaSetBody } from './sla-set.ts';

/** Reads a policy as a dialect names its parts. */
export function createPolicySchema(names: PolicyNames) {
  return lenientObject(
    {
      id: idSchema,
      name: optional(z.string()),
      slaSets: optional(z.array(createSlaSetSchema(names))),
    },
    ({ fields, otherFields }): Policy => ({
      id: fields.id,
      name: fields.name ?? fields.id,
      slaSets: fields.slaSets ?? [],
      otherFields,
    }),
    { slaSets: names.slaSets },
  );
}

/** The wire format of a policy, without what only the service writes. */
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
