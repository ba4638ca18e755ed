import type { EarlierSample, PolicySample } from './compliance-samples.ts';
import type { CountChange, PolicyChange } from './digest-contents.ts';

/** In the order in which they are told. */
const comparedCounts = [
  'nonCompliantCount',
  'unprotectedCount',
  'compliantCount',
  'deactivatedCount',
] as const;

type Now = {
  readings: PolicySample[];
  /** Of all policies that there are, read or not. */
  policyIds: string[];
  /** Where some are left out for their number, one that was left out before is not new. */
  unreadCount: number;
};

/** How the policies have changed, the worst first. */
export function policyChanges(
  before: EarlierSample[],
  { readings, policyIds, unreadCount }: Now,
): PolicyChange[] {
  const earlier = new Map(before.map((sample) => [sample.policy.id, sample.statistics]));
  const changed = readings.flatMap(({ policy: { id, name }, statistics }): PolicyChange[] => {
    const then = earlier.get(id);
    if (!then) return unreadCount === 0 ? [{ kind: 'new', name, statistics }] : [];
    const counts = countChanges(then, statistics);
    return counts.length > 0 ? [{ kind: 'changed', name, counts }] : [];
  });
  const listed = new Set(policyIds);
  const gone = ofLastReading(before)
    .filter(({ policy }) => !listed.has(policy.id))
    .map(({ policy, statistics }) => ({ kind: 'gone' as const, name: policy.name, statistics }));
  return [...changed, ...gone].sort((one, other) => harmOf(other) - harmOf(one));
}

/** One of which the service tells no number has not changed. */
function countChanges(
  then: PolicySample['statistics'],
  now: PolicySample['statistics'],
): CountChange[] {
  return comparedCounts.flatMap((count) => {
    const [from, to] = [then[count], now[count]];
    return from === undefined || to === undefined || from === to ? [] : [{ count, from, to }];
  });
}

/** One that was missing there already was told as gone, or is seldom read. */
function ofLastReading(before: EarlierSample[]): EarlierSample[] {
  const last = Math.max(...before.map(({ takenAt }) => takenAt.getTime()));
  return before.filter(({ takenAt }) => takenAt.getTime() === last);
}

/** In volumes. That there are more compliant ones makes up for no other. */
function harmOf(change: PolicyChange): number {
  if (change.kind === 'gone') return change.statistics.compliantCount ?? 0;
  if (change.kind === 'new') {
    const { nonCompliantCount = 0, unprotectedCount = 0 } = change.statistics;
    return nonCompliantCount + unprotectedCount;
  }
  return change.counts.reduce((harm, { count, from, to }) => {
    if (count === 'compliantCount') return harm + Math.max(0, from - to);
    return count === 'deactivatedCount' ? harm : harm + to - from;
  }, 0);
}
