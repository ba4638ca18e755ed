import type { PolicySample } from './compliance-samples.ts';

type Statistics = PolicySample['statistics'];

/** False where the service keeps no statistics, or they are not known. */
export function hasNumbers(statistics: Statistics): boolean {
  return Object.values(statistics).some((count) => count !== undefined);
}

/** True where a share can be told. */
export function hasBothCounts({ compliantCount, nonCompliantCount }: Statistics): boolean {
  return compliantCount !== undefined && nonCompliantCount !== undefined;
}
