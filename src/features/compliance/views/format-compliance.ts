import type { ComplianceStatistics } from '../../../dataprotection/resources/compliance.ts';
import type { Reading } from '../read-all-compliance.ts';

export const ebsOnly = 'The service reports EBS volumes only.';

/** What is known of a policy in one line of plain text. */
export function readingLine(reading: Reading): string {
  switch (reading.outcome) {
    case 'read':
      return statisticsLine(reading.statistics);
    case 'none':
      return 'The service keeps no statistics for this policy.';
    case 'failed':
      return 'Its statistics could not be read now. Ask for this policy alone to see why.';
  }
}

export type Share = { percent: string; compliant: number; counted: number };

/**
 * The compliant among the volumes that count as compliant or non-compliant; those that are not
 * protected are neither. Undefined unless both counts are there and not both 0.
 */
export function shareOf({
  compliantCount: compliant,
  nonCompliantCount,
}: ComplianceStatistics): Share | undefined {
  if (compliant === undefined || nonCompliantCount === undefined) return undefined;
  const counted = compliant + nonCompliantCount;
  if (compliant < 0 || nonCompliantCount < 0 || counted === 0) return undefined;
  // The service can tell any number.
  if (!Number.isFinite(counted * 100)) return undefined;
  // Rounded down: 100% is said only when nothing is missing.
  const maxPercent = nonCompliantCount === 0 ? 100 : 99;
  // Multiplied first: a rounded quotient can lose a whole percent.
  const percent = Math.min(maxPercent, Math.floor((compliant * 100) / counted));
  const isBelowOne = compliant > 0 && percent === 0;
  return { percent: isBelowOne ? 'under 1%' : `${percent}%`, compliant, counted };
}

export function statisticsLine(statistics: ComplianceStatistics): string {
  const { compliantCount, nonCompliantCount } = statistics;
  const rest = restText(statistics);
  if (compliantCount === 0 && nonCompliantCount === 0) {
    return ['No volume is counted as compliant or non-compliant', ...rest].join(' · ');
  }
  const share = shareOf(statistics);
  return [
    share
      ? `${share.percent} compliant (${share.compliant} of ${share.counted} volumes counted)`
      : `${countText(compliantCount)} compliant`,
    `${countText(nonCompliantCount)} non-compliant`,
    ...rest,
  ].join(' · ');
}

function restText(statistics: ComplianceStatistics): string[] {
  const { unprotectedCount, deactivatedCount, hasSeedingEntities } = statistics;
  return [
    ...(unprotectedCount ? [`${unprotectedCount} not protected`] : []),
    ...(deactivatedCount ? [`${deactivatedCount} deactivated`] : []),
    ...(hasSeedingEntities ? ['first backups under way'] : []),
  ];
}

function countText(count: number | undefined): string {
  return count === undefined ? 'unknown number' : String(count);
}
