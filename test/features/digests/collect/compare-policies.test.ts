import { expect, it } from 'vitest';
import type { PolicySample } from '../../../../src/features/compliance/policy-sample.ts';
import { compareReadings } from '../../../../src/features/digests/collect/compare-policies.ts';
import { formatCompliance } from '../../../../src/features/digests/views/format-compliance.ts';

const takenAt = new Date('2026-03-05T08:00:00Z');

function sample(name: string, statistics: PolicySample['statistics']) {
  return { policy: { id: name, name }, statistics, connectionId: 'c1', takenAt };
}

type Counts = PolicySample['statistics'];

function compare(then: Record<string, Counts>, now: Record<string, Counts>, unreadCount = 0) {
  const [before, readings] = [then, now].map((all) =>
    Object.entries(all).map(([name, counts]) => sample(name, counts)),
  );
  const policyIds = Object.keys(now);
  const listed = { policyIds, unreadCount, failed: [] };
  return compareReadings(before ?? [], { readings: readings ?? [], ...listed }).changes;
}

function lineOf(then: Counts, now: Counts): string {
  const read = {
    result: 'read' as const,
    readings: [],
    unreadCount: 0,
    failedCount: 0,
    incomparableCount: 0,
  };
  const changes = compare({ Gold: then }, { Gold: now });
  return formatCompliance({ ...read, changes, hasBaseline: true });
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
  expect(lineOf(then, now)).toMatch(new RegExp(` · \\*Gold\\*: ${text}$`));
});

it('ignores counts that are missing on one side', () => {
  expect(compare({ Gold: { compliantCount: 3 } }, { Gold: { nonCompliantCount: 3 } })).toEqual([]);
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
  const names = compare(then, now).map(({ name }) => name);
  expect(names).toEqual(['fallen', 'gone', 'added', 'worse', 'better']);
});

it('reports no new policy while policies are left out', () => {
  expect(compare({ Gold: {} }, { Gold: {}, Silver: { compliantCount: 1 } }, 1)).toEqual([]);
});
