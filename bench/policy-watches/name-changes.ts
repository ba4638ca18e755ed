import type { Policy } from '../../src/dataprotection/resources/policies.ts';

/** The name of a policy after the change with this number, which is how messages tell changes apart. */
export function nameOf(change: number): string {
  return `change-${String(change).padStart(4, '0')}`;
}

/** The name is new, and with every other change the retention shorter. */
export function changed({ id: _, ...policy }: Policy, change: number) {
  const after = { ...structuredClone(policy), name: nameOf(change) };
  const duration = after.slaSets[0]?.slas[0]?.retentionDuration;
  if (duration && change % 2 === 0) duration.value = Math.max(1, (duration.value ?? 2) - 1);
  return after;
}
