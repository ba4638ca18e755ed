import type { ComplianceStatistics } from '../../../dataprotection/resources/compliance.ts';
import { hasBothCounts } from '../policy-sample.ts';
import type { Reading } from '../read-compliance.ts';

export const ebsOnly = 'The service reports EBS volumes only.';

/** One line of plain text. */
export function formatReading(reading: Reading): string {
  switch (reading.outcome) {
    case 'read':
      return formatStatistics(reading.statistics);
    case 'none':
      return 'No data';
    case 'failed':
      return 'Compliance unavailable';
  }
}

type Share = { percent: string; compliant: number; counted: number };

/**
 * The compliant share of the volumes that are compliant or noncompliant; unprotected volumes are
 * neither. Undefined unless both counts are there and not both 0.
 */
export function calculateShare({
  compliantCount: compliant,
  nonCompliantCount,
}: ComplianceStatistics): Share | undefined {
  if (compliant === undefined || nonCompliantCount === undefined) return undefined;
  const counted = compliant + nonCompliantCount;
  if (compliant < 0 || nonCompliantCount < 0 || counted === 0) return undefined;
  // The service may return any number.
  if (!Number.isFinite(counted * 100)) return undefined;
  // Rounded down, so that 100% means all of them.
  const maxPercent = nonCompliantCount === 0 ? 100 : 99;
  // Multiplied first: rounding of the quotient could cost a whole percent.
  const percent = Math.min(maxPercent, Math.floor((compliant * 100) / counted));
  const isBelowOne = compliant > 0 && percent === 0;
  return { percent: isBelowOne ? 'under 1%' : `${percent}%`, compliant, counted };
}

/**
 * "97% of protected volumes compliant (97 of 100)". Names what the percentage is of, because 100%
 * alone would be read as if no volume were unprotected.
 */
export function formatShare(statistics: ComplianceStatistics): string | undefined {
  const share = calculateShare(statistics);
  if (!share) return undefined;
  const { percent, compliant, counted } = share;
  const which = statistics.protectedCount === counted ? 'protected' : 'checked';
  return `${percent} of ${which} volumes compliant (${compliant} of ${counted})`;
}

/**
 * Over the policies that have both counts. `protectedCount` is undefined if one of them lacks it, and
 * `unprotectedCount` is of those that have it.
 */
export function sumStatistics(
  policies: readonly Omit<ComplianceStatistics, 'otherFields'>[],
): ComplianceStatistics {
  const counted = policies.filter(hasBothCounts);
  const sum = (counts: (number | undefined)[]) =>
    counts.reduce<number>((total, count) => total + (count ?? 0), 0);
  const hasProtected = counted.every(({ protectedCount }) => protectedCount !== undefined);
  return {
    compliantCount: sum(counted.map((one) => one.compliantCount)),
    nonCompliantCount: sum(counted.map((one) => one.nonCompliantCount)),
    protectedCount: hasProtected ? sum(counted.map((one) => one.protectedCount)) : undefined,
    unprotectedCount: sum(policies.map((one) => one.unprotectedCount)),
    otherFields: {},
  };
}

/** "97% of protected volumes compliant (97 of 100) · 3 noncompliant · 5 unprotected" */
export function formatStatistics(statistics: ComplianceStatistics): string {
  const { compliantCount, nonCompliantCount } = statistics;
  const hasNoVolumes = compliantCount === 0 && nonCompliantCount === 0;
  const counts = [
    formatShare(statistics) ?? formatCount(compliantCount, 'compliant'),
    formatCount(nonCompliantCount, 'noncompliant'),
  ];
  return [...(hasNoVolumes ? ['No data'] : counts), ...formatOtherCounts(statistics)].join(' · ');
}

function formatOtherCounts(statistics: ComplianceStatistics): string[] {
  const { unprotectedCount, deactivatedCount, hasSeedingEntities } = statistics;
  return [
    ...(unprotectedCount ? [`${unprotectedCount} unprotected`] : []),
    ...(deactivatedCount ? [`${deactivatedCount} deactivated`] : []),
    ...(hasSeedingEntities ? ['first backups running'] : []),
  ];
}

function formatCount(count: number | undefined, what: string): string {
  return count === undefined ? `${what} count unavailable` : `${count} ${what}`;
}
