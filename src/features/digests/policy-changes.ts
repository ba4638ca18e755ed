import { lastReading } from './compliance-basis.ts';
import type { EarlierSample, PolicySample } from './compliance-samples.ts';
import type { CountChange, PolicyChange } from './digest-contents.ts';
import { hasNumbers } from './policy-numbers.ts';

/** In the order in which they are told. */
const comparedCounts = [
  'nonCompliantCount',
  'unprotectedCount',
  'compliantCount',
  'deactivatedCount',
] as const;

type Now = {
  readings: PolicySample[];
  /** Those that the service failed to tell of. */
  failed: PolicySample['policy'][];
  /** Of all policies that there are, read or not. */
  policyIds: string[];
  /** Where some are left out for their number, one that was left out before is not new. */
  unreadCount: number;
};

/** How the policies have changed, the worst first. */
export function policyChanges(
  before: EarlierSample[],
  { readings, failed, policyIds, unreadCount }: Now,
): PolicyChange[] {
  const earlier = new Map(before.map((sample) => [sample.policy.id, sample.statistics]));
  const last = lastReading(before);
  const known = new Set(last.map(({ policy }) => policy.id));
  // All are, where there were none.
  const isNew = (id: string) => (unreadCount === 0 || known.size === 0) && !known.has(id);
  const changed = readings.flatMap(({ policy: { id, name }, statistics }): PolicyChange[] => {
    if (isNew(id)) return [{ kind: 'new', name, statistics }];
    const then = earlier.get(id);
    return then ? changesOf(name, then, statistics) : [];
  });
  const unreadNew = failed
    .filter(({ id }) => isNew(id))
    .map(({ name }) => ({ kind: 'new' as const, name, statistics: {} }));
  const listed = new Set(policyIds);
  // One that was missing there already was told as gone, or is seldom read.
  const gone = last
    .filter(({ policy }) => !listed.has(policy.id))
    .map(({ policy, statistics }) => ({ kind: 'gone' as const, name: policy.name, statistics }));
  return [...changed, ...unreadNew, ...gone].sort((one, other) => harmOf(other) - harmOf(one));
}

function changesOf(
  name: string,
  then: PolicySample['statistics'],
  now: PolicySample['statistics'],
): PolicyChange[] {
  const [had, has] = [hasNumbers(then), hasNumbers(now)];
  if (had && !has) return [{ kind: 'uncounted', name, statistics: then }];
  if (has && !had) return [{ kind: 'counted', name, statistics: now }];
  const counts = countChanges(then, now);
  return counts.length > 0 ? [{ kind: 'changed', name, counts }] : [];
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

/** Those of which the service tells some counts, but not the same as before. */
export function otherwiseTold(before: EarlierSample[], readings: PolicySample[]): PolicySample[] {
  const earlier = new Map(before.map((sample) => [sample.policy.id, sample.statistics]));
  return readings.filter(({ policy, statistics: now }) => {
    const then = earlier.get(policy.id);
    if (!then || !hasNumbers(then) || !hasNumbers(now)) return false;
    return comparedCounts.some(
      (count) => (then[count] === undefined) !== (now[count] === undefined),
    );
  });
}

/** In volumes. That there are more compliant ones makes up for no other. */
function harmOf(change: PolicyChange): number {
  if (change.kind === 'gone' || change.kind === 'uncounted')
    return change.statistics.compliantCount ?? 0;
  if (change.kind === 'new' || change.kind === 'counted') {
    const { nonCompliantCount = 0, unprotectedCount = 0 } = change.statistics;
    return nonCompliantCount + unprotectedCount;
  }
  return change.counts.reduce((harm, { count, from, to }) => {
    if (count === 'compliantCount') return harm + Math.max(0, from - to);
    return count === 'deactivatedCount' ? harm : harm + to - from;
  }, 0);
}
