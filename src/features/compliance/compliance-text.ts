import type { ComplianceStatistics } from '../../dataprotection/compliance.ts';
import type { Reading } from './read-all-compliance.ts';

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

/** Share of compliant volumes in words; undefined unless both counts are there and not both 0. */
export function shareText({ compliantCount, nonCompliantCount }: ComplianceStatistics) {
  if (compliantCount === undefined || nonCompliantCount === undefined) return undefined;
  const all = compliantCount + nonCompliantCount;
  if (compliantCount < 0 || nonCompliantCount < 0 || all === 0) return undefined;
  // Rounded down: 100% is said only when nothing is missing.
  const percent = Math.floor((compliantCount / all) * 100);
  return compliantCount > 0 && percent === 0 ? 'under 1%' : `${percent}%`;
}

export function statisticsLine(statistics: ComplianceStatistics): string {
  const { compliantCount, nonCompliantCount } = statistics;
  const rest = restText(statistics);
  if (compliantCount === 0 && nonCompliantCount === 0) {
    return ['No volume is counted as compliant or non-compliant', ...rest].join(' · ');
  }
  const share = shareText(statistics);
  return [
    ...(share ? [`${share} compliant`] : []),
    `${countText(compliantCount)} compliant`,
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
