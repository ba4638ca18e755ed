import type { EarlierSample, PolicySample } from './compliance-samples.ts';

type Read = {
  readings: PolicySample[];
  failed: PolicySample['policy'][];
};

/**
 * What the next reading compares with: each listed policy as it was last known, so that what changed
 * while one could not be read is told once it can be. One of which nothing is known has no number.
 */
export function baselineOf({ readings, failed }: Read, before: EarlierSample[]): PolicySample[] {
  const earlier = new Map(before.map(({ policy, statistics }) => [policy.id, statistics]));
  const unread = failed.map((policy) => ({ policy, statistics: earlier.get(policy.id) ?? {} }));
  return [...readings, ...unread];
}

/** Those of the last reading, which has every policy that was listed then, but for those too many. */
export function lastReading(before: EarlierSample[]): EarlierSample[] {
  const last = Math.max(...before.map(({ takenAt }) => takenAt.getTime()));
  return before.filter(({ takenAt }) => takenAt.getTime() === last);
}
