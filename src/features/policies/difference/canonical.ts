import { isJsonObject, type JsonObject } from '../../../dataprotection/json.ts';
import type { PolicyDefinition } from '../../../dataprotection/resources/policies.ts';
import type { Duration, Sla, SlaSet } from '../../../dataprotection/resources/policy-schema.ts';

/**
 * Canonical JSON of the parts of a policy: the same for parts that mean the same. A passed-through
 * field that is null counts as missing, because some services return null where others leave the
 * field out. A null inside the value of a field is kept.
 */
export function canonicalSlaSet({ slas, otherFields, ...fields }: SlaSet): string {
  return canonical({ ...fields, slas: slas.map(canonicalSla), ...withoutNulls(otherFields) });
}

export function canonicalSla({ rpoFrequency, retentionDuration, otherFields }: Sla): string {
  const durations = [rpoFrequency, retentionDuration].map(canonicalDuration);
  return canonical({ durations, ...withoutNulls(otherFields) });
}

/** A duration that is there without a unit and a value differs from one that is missing. */
export function canonicalDuration(duration: Duration | undefined): string {
  if (!duration) return '';
  const { otherFields, ...fields } = duration;
  return canonical({ ...fields, ...withoutNulls(otherFields) });
}

/** Whether two policies have the same content, in the same order. */
export function hasSameContent(one: PolicyDefinition, other: PolicyDefinition): boolean {
  return canonicalPolicy(one) === canonicalPolicy(other);
}

function canonicalPolicy({ name, slaSets, otherFields }: PolicyDefinition): string {
  return canonical({ name, slaSets: slaSets.map(canonicalSlaSet), ...withoutNulls(otherFields) });
}

/** Whether two values are the same JSON, regardless of the order of their keys. */
export function isSameValue(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

/**
 * JSON with sorted keys; undefined for undefined. RFC 8785 has none for lone surrogates and infinite
 * numbers, which services can send: they are escapes and null here, as in a JSON column.
 */
export function canonical(value: JsonObject): string;
export function canonical(value: unknown): string | undefined;
export function canonical(value: unknown): string | undefined {
  return JSON.stringify(value, (_, part: unknown) =>
    isJsonObject(part)
      ? Object.fromEntries(
          Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)),
        )
      : part,
  );
}

/** Whether there are fields that Belay passes through without knowing what they do. */
export function hasOtherFields({ otherFields = {} }: { otherFields?: JsonObject }): boolean {
  return Object.values(otherFields).some((value) => value !== null);
}

/** Apart from the known fields, of which the passed-through ones may have the name. */
function withoutNulls(otherFields: JsonObject | undefined): { otherFields?: JsonObject } {
  const kept = Object.entries(otherFields ?? {}).filter(([, value]) => value !== null);
  return kept.length > 0 ? { otherFields: Object.fromEntries(kept) } : {};
}
