import type { ComplianceStatistics } from '../../../dataprotection/resources/compliance.ts';
import type { Reading } from '../read-compliance.ts';

export const ebsOnly = 'The service reports EBS volumes only.';

/** One line of plain text. */
export function formatReading(reading: Reading): string {
  switch (reading.outcome) {
    case 'read':
      return formatStatistics(reading.statistics);
    case 'none':
      return 'The service keeps no statistics for this policy.';
    case 'failed':
      return 'Its statistics could not be read now. Ask for this policy alone to see why.';
  }
}

export type Share = { percent: string; compliant: number; counted: number };

/**
 * The compliant share of the volumes that are compliant or non-compliant; unprotected volumes are
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

export function formatStatistics(statistics: ComplianceStatistics): string {
  const { compliantCount, nonCompliantCount } = statistics;
  const rest = formatOtherCounts(statistics);
  if (compliantCount === 0 && nonCompliantCount === 0) {
    return ['No volume is counted as compliant or non-compliant', ...rest].join(' · ');
  }
  const share = calculateShare(statistics);
  return [
    share
      ? `${share.percent} compliant (${share.compliant} of ${share.counted} volumes counted)`
      : `${formatCount(compliantCount)} compliant`,
    `${formatCount(nonCompliantCount)} non-compliant`,
    ...rest,
  ].join(' · ');
}

function formatOtherCounts(statistics: ComplianceStatistics): string[] {
  const { unprotectedCount, deactivatedCount, hasSeedingEntities } = statistics;
  return [
    ...(unprotectedCount ? [`${unprotectedCount} not protected`] : []),
    ...(deactivatedCount ? [`${deactivatedCount} deactivated`] : []),
    ...(hasSeedingEntities ? ['first backups under way'] : []),
  ];
}

function formatCount(count: number | undefined): string {
  return count === undefined ? 'unknown number' : String(count);
}
