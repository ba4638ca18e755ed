import type { JsonObject } from '../../../dataprotection/json.ts';
import type { PolicyDefinition } from '../../../dataprotection/resources/policies.ts';
import type { Duration, Sla, SlaSet } from '../../../dataprotection/resources/policy-schema.ts';
import { hasSameContent } from '../difference/canonical.ts';
import { comparePolicies, pairSlaSets } from '../difference/compare-policies.ts';
import { pairSlas } from '../difference/compare-sla-sets.ts';
import { overlapLabel } from '../difference/find-overlaps.ts';
import type { Pairing } from '../difference/pair-items.ts';
import type { PolicyChange } from '../difference/policy-change.ts';

/**
 * What the service shows differently from what was sent. Fields that were not sent don't count: a
 * service fills in its defaults. Nor does another order, or the same duration in another unit.
 */
export function findDeviations(sent: PolicyDefinition, shown: PolicyDefinition): PolicyChange[] {
  return comparePolicies(sent, restrict(shown, sent)).filter(
    ({ label, weight }) => label === 'Name' || (weight !== 'neutral' && label !== overlapLabel),
  );
}

/** Whether a replacement took effect: the policy is not as it was, and is as approved. */
export function isReplaced(
  { before, after }: { before: PolicyDefinition; after: PolicyDefinition },
  shown: PolicyDefinition,
): boolean {
  return !hasSameContent(before, shown) && findDeviations(after, shown).length === 0;
}

/** The policy without the fields that the other does not have, in each set those of its counterpart. */
function restrict(
  { name, slaSets, otherFields }: PolicyDefinition,
  sent: PolicyDefinition,
): PolicyDefinition {
  const pairing = pairSlaSets(sent.slaSets, slaSets);
  return {
    name,
    slaSets: slaSets.map((slaSet, index) => restrictSet(slaSet, counterpart(pairing, index))),
    otherFields: only(otherFields, sent.otherFields),
  };
}

/** What was sent of an item that is shown. */
function counterpart<Item>({ pairs }: Pairing<Item>, index: number): Item | undefined {
  return pairs.find(({ afterIndex }) => afterIndex === index)?.before;
}

function restrictSet(shown: SlaSet, sent: SlaSet | undefined): SlaSet {
  const pairing = pairSlas(sent?.slas ?? [], shown.slas);
  return {
    ...shown,
    slas: shown.slas.map((sla, index) => restrictSla(sla, counterpart(pairing, index))),
    otherFields: only(shown.otherFields, sent?.otherFields),
  };
}

function restrictSla(shown: Sla, sent: Sla | undefined): Sla {
  return {
    rpoFrequency: restrictDuration(shown.rpoFrequency, sent?.rpoFrequency),
    retentionDuration: restrictDuration(shown.retentionDuration, sent?.retentionDuration),
    otherFields: only(shown.otherFields, sent?.otherFields),
  };
}

function restrictDuration(shown: Duration | undefined, sent: Duration | undefined) {
  return shown && { ...shown, otherFields: only(shown.otherFields, sent?.otherFields) };
}

function only(shown: JsonObject = {}, sent: JsonObject = {}): JsonObject {
  return Object.fromEntries(Object.entries(shown).filter(([name]) => Object.hasOwn(sent, name)));
}
