import type { ComplianceStatistics } from '../../dataprotection/resources/compliance.ts';

type Statistics = Omit<ComplianceStatistics, 'otherFields' | 'hasSeedingEntities'>;

/** A policy's compliance at some time, as far as it is known. */
export type PolicySample = {
  policy: { id: string; name: string };
  statistics: Statistics;
};

/** `isCarriedOver`: the policy could not be read now, and the counts are from an earlier reading. */
export type BaselineSample = PolicySample & { isCarriedOver?: boolean };

/** As it was stored, with the connection over which it was read. */
export type StoredSample = PolicySample & { connectionId: string; takenAt: Date };

/** False for a policy without statistics, or if they are unknown. */
export function hasCounts(statistics: Statistics): boolean {
  return Object.values(statistics).some((count) => count !== undefined);
}

/** Whether a compliant share can be calculated. */
export function hasBothCounts({ compliantCount, nonCompliantCount }: Statistics): boolean {
  return compliantCount !== undefined && nonCompliantCount !== undefined;
}

/** The samples of the last reading, which has every policy listed then unless there were too many. */
export function lastReading(samples: StoredSample[]): StoredSample[] {
  const last = Math.max(...samples.map(({ takenAt }) => takenAt.getTime()));
  return samples.filter(({ takenAt }) => takenAt.getTime() === last);
}

/**
 * What the next reading is compared with: each listed policy as it was last known, so that a change
 * is reported even if the policy could not be read in between. Without counts if nothing is known.
 */
export function nextBaseline(
  { readings, failed }: { readings: PolicySample[]; failed: PolicySample['policy'][] },
  before: StoredSample[],
): BaselineSample[] {
  const earlier = new Map(before.map(({ policy, statistics }) => [policy.id, statistics]));
  const unread = failed.map((policy) => ({
    policy,
    statistics: earlier.get(policy.id) ?? {},
    isCarriedOver: true,
  }));
  return [...readings, ...unread];
}
