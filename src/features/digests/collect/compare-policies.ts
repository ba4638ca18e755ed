import {
  hasCounts,
  lastReading,
  type PolicyReadings,
  type PolicySample,
  type StoredSample,
} from '../../compliance/index.ts';

/** In the order in which they are shown. */
const comparedCounts = [
  'nonCompliantCount',
  'unprotectedCount',
  'compliantCount',
  'deactivatedCount',
] as const;

export type CountChange = { count: (typeof comparedCounts)[number]; from: number; to: number };

type Statistics = PolicySample['statistics'];

/**
 * `statistics-added`: the policy existed before, but none of its counts was known. What was removed has
 * the last counts that were known.
 */
export type PolicyChange = { name: string } & (
  | { kind: 'changed'; counts: CountChange[] }
  | {
      kind: 'policy-added' | 'policy-removed' | 'statistics-added' | 'statistics-removed';
      statistics: Statistics;
    }
);

/**
 * How the policies have changed since `before`, the worst first, and how many have some counts now and
 * had some before, but not the same ones.
 */
export function compareReadings(
  before: StoredSample[],
  { readings, failed, policyIds, unreadCount }: PolicyReadings,
): { changes: PolicyChange[]; incomparableCount: number } {
  const earlier = new Map(before.map((sample) => [sample.policy.id, sample.statistics]));
  const last = lastReading(before);
  const known = new Set(last.map(({ policy }) => policy.id));
  // One that was left out is not new. Where there were no policies, all are.
  const isNew = (id: string) => (unreadCount === 0 || known.size === 0) && !known.has(id);
  const changed = readings.flatMap(({ policy: { id, name }, statistics }): PolicyChange[] => {
    if (isNew(id)) return [{ kind: 'policy-added', name, statistics }];
    const then = earlier.get(id);
    return then ? changesOf(name, then, statistics) : [];
  });
  const unreadNew = failed
    .filter(({ id }) => isNew(id))
    .map(({ name }): PolicyChange => ({ kind: 'policy-added', name, statistics: {} }));
  const listed = new Set(policyIds);
  // A policy missing from the last reading already was reported as gone then, or is rarely read.
  const removed = last
    .filter(({ policy }) => !listed.has(policy.id))
    .map(({ policy: { name }, statistics }): PolicyChange => {
      return { kind: 'policy-removed', name, statistics };
    });
  const incomparable = readings.filter(({ policy, statistics }) => {
    const then = earlier.get(policy.id);
    return then && hasOtherCounts(then, statistics);
  });
  return {
    changes: [...changed, ...unreadNew, ...removed].sort(
      (one, other) => severityOf(other) - severityOf(one),
    ),
    incomparableCount: incomparable.length,
  };
}

function changesOf(name: string, then: Statistics, now: Statistics): PolicyChange[] {
  const [had, has] = [hasCounts(then), hasCounts(now)];
  if (had && !has) return [{ kind: 'statistics-removed', name, statistics: then }];
  if (has && !had) return [{ kind: 'statistics-added', name, statistics: now }];
  const counts = countChanges(then, now);
  return counts.length > 0 ? [{ kind: 'changed', name, counts }] : [];
}

/** A count that is missing on one side has not changed. */
function countChanges(then: Statistics, now: Statistics): CountChange[] {
  return comparedCounts.flatMap((count) => {
    const [from, to] = [then[count], now[count]];
    return from === undefined || to === undefined || from === to ? [] : [{ count, from, to }];
  });
}

/** Whether both have some counts, but not the same ones. */
function hasOtherCounts(then: Statistics, now: Statistics): boolean {
  if (!hasCounts(then) || !hasCounts(now)) return false;
  return comparedCounts.some((count) => (then[count] === undefined) !== (now[count] === undefined));
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
