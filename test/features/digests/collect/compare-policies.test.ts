import { expect, it } from 'vitest';
import type { PolicySample } from '../../../../src/features/compliance/policy-sample.ts';
import { policyChanges } from '../../../../src/features/digests/collect/compare-policies.ts';
import { formatCompliance } from '../../../../src/features/digests/views/format-compliance.ts';

const takenAt = new Date('2026-03-05T08:00:00Z');

function sample(name: string, statistics: PolicySample['statistics']) {
  return { policy: { id: name, name }, statistics, connectionId: 'c1', takenAt };
}

type Counts = PolicySample['statistics'];

function linesOf(then: Record<string, Counts>, now: Record<string, Counts>, unreadCount = 0) {
  const [before, readings] = [then, now].map((all) =>
    Object.entries(all).map(([name, counts]) => sample(name, counts)),
  );
  const policyIds = Object.keys(now);
  const listed = { policyIds, unreadCount, failed: [] };
  const changes = policyChanges(before ?? [], { readings: readings ?? [], ...listed });
  const read = {
    result: 'read' as const,
    readings: [],
    unreadCount,
    failedCount: 0,
    incomparableCount: 0,
  };
  return formatCompliance({ ...read, changes, hasBaseline: true }).slice(1);
}

it.each<[Counts, Counts, string]>([
  [{ nonCompliantCount: 3 }, { nonCompliantCount: 7 }, '3 → 7 noncompliant, worse'],
  [{ unprotectedCount: 3 }, { unprotectedCount: 1 }, '3 → 1 unprotected, better'],
  [
    { nonCompliantCount: 3, unprotectedCount: 0, compliantCount: 9 },
    { nonCompliantCount: 1, unprotectedCount: 4, compliantCount: 7 },
    '3 → 1 noncompliant, 0 → 4 unprotected, 9 → 7 compliant',
  ],
  [{ deactivatedCount: 0 }, { deactivatedCount: 2 }, '0 → 2 deactivated'],
])('formats the change of counts from %o to %o', (then, now, text) => {
  expect(linesOf({ Gold: then }, { Gold: now })).toEqual([`• *Gold*: ${text}`]);
});

it('ignores counts that are missing on one side', () => {
  expect(linesOf({ Gold: { compliantCount: 3 } }, { Gold: { nonCompliantCount: 3 } })).toEqual([]);
});

it('sorts the worst change first', () => {
  const then = {
    better: { nonCompliantCount: 9 },
    worse: { nonCompliantCount: 1 },
    fallen: { compliantCount: 100_000 },
    gone: { compliantCount: 40 },
  };
  const now = {
    better: { nonCompliantCount: 0 },
    worse: { nonCompliantCount: 2 },
    fallen: { compliantCount: 102 },
    added: { compliantCount: 500, nonCompliantCount: 7 },
  };
  const names = linesOf(then, now).map((line) => /\*(.*)\*/.exec(line)?.[1]);
  expect(names).toEqual(['fallen', 'gone', 'added', 'worse', 'better']);
});

it('reports no new policy while policies are left out', () => {
  expect(linesOf({ Gold: {} }, { Gold: {}, Silver: { compliantCount: 1 } }, 1)).toEqual([]);
});
