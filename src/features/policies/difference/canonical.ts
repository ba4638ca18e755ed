import canonicalize from 'canonicalize';
import type { JsonObject } from '../../../dataprotection/json.ts';
import type { PolicyDefinition } from '../../../dataprotection/resources/policies.ts';
import type { Duration, Sla, SlaSet } from '../../../dataprotection/resources/policy-schema.ts';

/**
 * Canonical JSON of the parts of a policy: the same for parts that mean the same. A passed-through
 * field that is null counts as missing, because services return either; deeper nulls are kept.
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

/** Whether two values are the same JSON, whatever the order of their keys. */
export function isSameValue(one: unknown, other: unknown): boolean {
  return canonicalize(one) === canonicalize(other);
}

function canonical(value: JsonObject): string {
  return canonicalize(value) ?? '';
}

/** Apart from the known fields, of which the passed-through ones may have the name. */
function withoutNulls(otherFields: JsonObject | undefined): { otherFields?: JsonObject } {
  const kept = Object.entries(otherFields ?? {}).filter(([, value]) => value !== null);
  return kept.length > 0 ? { otherFields: Object.fromEntries(kept) } : {};
}
