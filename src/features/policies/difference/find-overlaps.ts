import type { SlaSet } from '../../../dataprotection/resources/policy-schema.ts';
import { compareDurations, mayFallTogether } from './compare-durations.ts';
import { formatSla, pairSlas } from './compare-sla-sets.ts';
import type { Pairing } from './pair-items.ts';
import type { PolicyChange } from './policy-change.ts';

export const overlapLabel = 'Overlapping SLAs';

/**
 * A line for each SLA that gets the frequency of another one of its operation, or may get it. The
 * service could then retain the backups of both for the shorter time, so an SLA that looks stronger, or
 * was only added, can shorten the retention of the other. SLAs that had these frequencies before, in the
 * same order, change nothing.
 */
export function findOverlaps(
  { pairs }: Pairing<SlaSet>,
  after: SlaSet[],
  placeOf: (slaSet: SlaSet, index: number) => string,
): PolicyChange[] {
  const slas = after.flatMap((slaSet, setIndex) => {
    const pair = pairs.find(({ afterIndex }) => afterIndex === setIndex);
    const isSameOperation = pair?.before.operation === slaSet.operation;
    const known = pair && isSameOperation ? pairSlas(pair.before.slas, slaSet.slas).pairs : [];
    return slaSet.slas.map((sla, index) => {
      const kept = known.find(
        (one) =>
          one.afterIndex === index &&
          compareDurations(one.before.rpoFrequency, sla.rpoFrequency) === 'equal',
      );
      return {
        sla,
        operation: slaSet.operation,
        place: placeOf(slaSet, setIndex),
        keptFrom: pair && kept && { set: pair.beforeIndex, sla: kept.beforeIndex },
      };
    });
  });
  return slas.flatMap(({ sla, operation, place, keptFrom }, index): PolicyChange[] => {
    const other = slas
      .slice(0, index)
      .find(
        (earlier) =>
          earlier.operation === operation &&
          !isInOrder(earlier.keptFrom, keptFrom) &&
          mayFallTogether(earlier.sla.rpoFrequency, sla.rpoFrequency),
      );
    if (!other) return [];
    const both = `${formatSla(other.sla)} and ${formatSla(sla)}`;
    return [{ place, label: overlapLabel, before: undefined, after: both, weight: 'weaker' }];
  });
}

type Position = { set: number; sla: number };

/** Whether both were there before, in this order. */
function isInOrder(one: Position | undefined, other: Position | undefined): boolean {
  if (!one || !other) return false;
  return one.set < other.set || (one.set === other.set && one.sla < other.sla);
}
