import type { PolicyDefinition } from '../../../dataprotection/resources/policies.ts';
import type { SlaSet } from '../../../dataprotection/resources/policy-schema.ts';
import {
  formatOperation,
  formatSlaSet,
  isKnownOperation,
  isKnownSeedSetting,
  unsaidInSet,
} from '../views/format-policy.ts';
import { canonicalSlaSet, hasOtherFields } from './canonical.ts';
import { compareFields } from './compare-fields.ts';
import { compareSlaSets, describeFields, isUnderstood, reordered } from './compare-sla-sets.ts';
import { findOverlaps } from './find-overlaps.ts';
import { isReordered, type Pairing, pairItems } from './pair-items.ts';
import { type PolicyChange, policyPlace, type Weight, weakerFirst } from './policy-change.ts';

/**
 * What a change does to the protection, one line each, weaker first; none if nothing changes. Pass
 * both without the fields that only the service writes (`writablePolicy`). `before` is undefined for
 * a new policy, which can't weaken anything. Sets of one operation are paired with each other, each
 * with one at most, so a removed set and swapped values always show.
 */
export function comparePolicies(
  before: PolicyDefinition | undefined,
  after: PolicyDefinition,
): PolicyChange[] {
  if (!before) return describeNew(after);
  const pairing = pairSlaSets(before.slaSets, after.slaSets);
  return weakerFirst([
    ...compareNames(before.name, after.name),
    ...pairing.pairs.flatMap((pair) =>
      compareSlaSets(pair.before, pair.after, placeOf(pair.before, pair.beforeIndex)),
    ),
    ...pairing.removed.map(
      ({ item, index }): PolicyChange => ({
        place: placeOf(item, index),
        label: 'Schedule',
        weight: 'weaker',
        before: formatSlaSet(item),
        after: undefined,
      }),
    ),
    ...pairing.added.flatMap(({ item, index }) =>
      describeAdded(item, index, addedWeight(item, after.slaSets)),
    ),
    ...findOverlaps(pairing, after.slaSets, placeOf),
    ...(isReordered(pairing) ? [reordered(policyPlace, 'Order of schedules')] : []),
    ...compareFields(before.otherFields, after.otherFields, policyPlace),
  ]);
}

export function pairSlaSets(before: SlaSet[], after: SlaSet[]): Pairing<SlaSet> {
  return pairItems(before, after, {
    canonical: canonicalSlaSet,
    rounds: [
      (one, other) => one.item.operation === other.item.operation,
      // Another operation in the same position is a changed set; elsewhere it is a new one.
      (one, other) => one.index === other.index,
    ],
    distance: (one, other) => compareSlaSets(one, other, '').length,
  });
}

function describeNew({ name, slaSets, otherFields }: PolicyDefinition): PolicyChange[] {
  const lines: PolicyChange[] = [
    { place: policyPlace, label: 'Name', before: undefined, after: name, weight: 'neutral' },
    ...slaSets.flatMap((slaSet, index) => describeAdded(slaSet, index, 'stronger')),
    ...compareFields({}, otherFields, policyPlace),
  ];
  return lines.map((line) => (line.weight === 'weaker' ? { ...line, weight: 'neutral' } : line));
}

function describeAdded(slaSet: SlaSet, index: number, weight: Weight): PolicyChange[] {
  const place = placeOf(slaSet, index);
  return [
    { place, label: 'Schedule', before: undefined, after: formatSlaSet(slaSet), weight },
    ...compareFields({}, unsaidInSet(slaSet), place),
    ...slaSet.slas.flatMap((sla, slaIndex) => describeFields(sla, `${place}, SLA ${slaIndex + 1}`)),
  ];
}

function compareNames(before: string, after: string): PolicyChange[] {
  if (before === after) return [];
  return [{ place: policyPlace, label: 'Name', before, after, weight: 'neutral' }];
}

/**
 * A second set for an operation could take the place of the other one, and so could a set that Belay
 * does not understand in full.
 */
function addedWeight(added: SlaSet, after: SlaSet[]): Weight {
  const { operation, seedSetting, slas } = added;
  const isKnown = isKnownOperation(operation) && isKnownSeedSetting(seedSetting) && slas.length > 0;
  const isOnly = after.filter((slaSet) => slaSet.operation === operation).length === 1;
  const isClear = isKnown && isOnly && !hasOtherFields(added) && slas.every(isUnderstood);
  return isClear ? 'stronger' : 'weaker';
}

function placeOf({ operation }: SlaSet, index: number): string {
  return `Schedule ${index + 1} (${formatOperation(operation)})`;
}
