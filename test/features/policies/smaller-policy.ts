import type { Policy } from '../../../src/dataprotection/resources/policies.ts';

/** With fewer sets and fields, so that a difference of two hostile policies is quick. */
export function smallerPolicy({ otherFields, slaSets, ...policy }: Policy): Policy {
  const few = (fields: Record<string, unknown> | undefined) =>
    Object.fromEntries(Object.entries(fields ?? {}).slice(0, 2));
  return {
    ...policy,
    slaSets: slaSets.slice(0, 3).map((slaSet) => ({
      ...slaSet,
      slas: slaSet.slas.slice(0, 1).map(({ rpoFrequency, retentionDuration }) => ({
        rpoFrequency: { ...rpoFrequency, otherFields: few(rpoFrequency?.otherFields) },
        retentionDuration: {
          ...retentionDuration,
          otherFields: few(retentionDuration?.otherFields),
        },
      })),
      otherFields: few(slaSet.otherFields),
    })),
    otherFields: few(otherFields),
  };
}
