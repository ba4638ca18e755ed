import {
  hasCounts,
  lastReading,
  type PolicySample,
  type StoredSample,
} from '../../compliance/index.ts';

export type CountChange = {
  count: 'nonCompliantCount' | 'unprotectedCount' | 'compliantCount' | 'deactivatedCount';
  from: number;
  to: number;
};

export type PolicyChange = { name: string } & (
  | { kind: 'changed'; counts: CountChange[] }
  /** The policy existed before, but none of its counts was known. */
  | { kind: 'statistics-added'; statistics: PolicySample['statistics'] }
  /** The last counts that were known. */
  | { kind: 'statistics-removed'; statistics: PolicySample['statistics'] }
  | { kind: 'policy-added'; statistics: PolicySample['statistics'] }
  /** The last counts that were known. */
  | { kind: 'policy-removed'; statistics: PolicySample['statistics'] }
);

/** In the order in which they are shown. */
const comparedCounts = [
  'nonCompliantCount',
  'unprotectedCount',
  'compliantCount',
  'deactivatedCount',
] as const;

type CurrentPolicies = {
  readings: PolicySample[];
  /** Policies whose statistics the service failed to return. */
  failed: PolicySample['policy'][];
  /** Of all policies, read or not. */
  policyIds: string[];
  /** Number of policies left out because there are too many: one that was left out is not new. */
  unreadCount: number;
};

/** How the policies have changed since `before`, the worst first. */
export function policyChanges(
  before: StoredSample[],
  { readings, failed, policyIds, unreadCount }: CurrentPolicies,
): PolicyChange[] {
  const earlier = new Map(before.map((sample) => [sample.policy.id, sample.statistics]));
  const last = lastReading(before);
  const known = new Set(last.map(({ policy }) => policy.id));
  // Where there were no policies, all are new, however many are left out.
  const isNew = (id: string) => (unreadCount === 0 || known.size === 0) && !known.has(id);
  const changed = readings.flatMap(({ policy: { id, name }, statistics }): PolicyChange[] => {
    if (isNew(id)) return [{ kind: 'policy-added', name, statistics }];
    const then = earlier.get(id);
    return then ? changesOf(name, then, statistics) : [];
  });
  const unreadNew = failed
    .filter(({ id }) => isNew(id))
    .map(({ name }) => ({ kind: 'policy-added' as const, name, statistics: {} }));
  const listed = new Set(policyIds);
  // A policy missing from the last reading already was reported as gone then, or is rarely read.
  const removed = last
    .filter(({ policy }) => !listed.has(policy.id))
    .map(({ policy: { name }, statistics }) => ({
      kind: 'policy-removed' as const,
      name,
      statistics,
    }));
  return [...changed, ...unreadNew, ...removed].sort(
    (one, other) => severityOf(other) - severityOf(one),
  );
}

function changesOf(
  name: string,
  then: PolicySample['statistics'],
  now: PolicySample['statistics'],
): PolicyChange[] {
  const [had, has] = [hasCounts(then), hasCounts(now)];
  if (had && !has) return [{ kind: 'statistics-removed', name, statistics: then }];
  if (has && !had) return [{ kind: 'statistics-added', name, statistics: now }];
  const counts = countChanges(then, now);
  return counts.length > 0 ? [{ kind: 'changed', name, counts }] : [];
}

/** A count that is missing on one side has not changed. */
function countChanges(
  then: PolicySample['statistics'],
  now: PolicySample['statistics'],
): CountChange[] {
  return comparedCounts.flatMap((count) => {
    const [from, to] = [then[count], now[count]];
    return from === undefined || to === undefined || from === to ? [] : [{ count, from, to }];
  });
}

/** Policies that have some counts now and had some before, but not the same ones. */
export function incomparablePolicies(
  before: StoredSample[],
  readings: PolicySample[],
): PolicySample[] {
  const earlier = new Map(before.map((sample) => [sample.policy.id, sample.statistics]));
  return readings.filter(({ policy, statistics: now }) => {
    const then = earlier.get(policy.id);
    if (!then || !hasCounts(then) || !hasCounts(now)) return false;
    return comparedCounts.some(
      (count) => (then[count] === undefined) !== (now[count] === undefined),
    );
  });
}

/** In volumes. More compliant volumes do not make up for worse counts. */
function severityOf(change: PolicyChange): number {
  switch (change.kind) {
    case 'policy-removed':
    case 'statistics-removed':
      return change.statistics.compliantCount ?? 0;
    case 'policy-added':
    case 'statistics-added': {
      const { nonCompliantCount = 0, unprotectedCount = 0 } = change.statistics;
      return nonCompliantCount + unprotectedCount;
    }
    case 'changed':
      return change.counts.reduce((sum, { count, from, to }) => {
        if (count === 'compliantCount') return sum + Math.max(0, from - to);
        return count === 'deactivatedCount' ? sum : sum + to - from;
      }, 0);
  }
}
