import type { PolicyReading } from './read-compliance.ts';

/**
 * Order: most noncompliant volumes first; then policies whose count is unknown, because they may have
 * some; then the others, most unprotected volumes first; policies without any data last.
 */
export function rankPolicies(readings: PolicyReading[]): PolicyReading[] {
  return readings.toSorted(
    (one, other) =>
      countOf(other, 'nonCompliantCount') - countOf(one, 'nonCompliantCount') ||
      certaintyOf(one) - certaintyOf(other) ||
      countOf(other, 'unprotectedCount') - countOf(one, 'unprotectedCount'),
  );
}

function certaintyOf({ reading }: PolicyReading): number {
  if (reading.outcome === 'none') return 2;
  const isKnown = reading.outcome === 'read' && reading.statistics.nonCompliantCount !== undefined;
  return isKnown ? 1 : 0;
}

/** 0 if it is unknown. */
export function countOf(
  { reading }: PolicyReading,
  count: 'nonCompliantCount' | 'unprotectedCount',
): number {
  return reading.outcome === 'read' ? (reading.statistics[count] ?? 0) : 0;
}
