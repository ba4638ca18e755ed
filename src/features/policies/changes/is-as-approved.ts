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
 * What the service shows differently from what was sent. Fields that were neither sent nor there `before`
 * don't count: a service fills in its defaults. Nor does another order, or the same duration in another unit.
 */
export function findDeviations(
  sent: PolicyDefinition,
  shown: PolicyDefinition,
  before?: PolicyDefinition,
): PolicyChange[] {
  return comparePolicies(sent, restrict(shown, [sent, before])).filter(
    ({ label, weight }) => label === 'Name' || (weight !== 'neutral' && label !== overlapLabel),
  );
}

/** Whether a replacement took effect: the policy is not as it was, and is as approved. */
export function isReplaced(
  { before, after }: { before: PolicyDefinition; after: PolicyDefinition },
  shown: PolicyDefinition,
): boolean {
  return !hasSameContent(before, shown) && findDeviations(after, shown, before).length === 0;
}

type Known<Item> = (Item | undefined)[];

/** The policy with only the fields that one of the others has; in each set, one of its counterparts. */
function restrict(
  { name, slaSets, otherFields }: PolicyDefinition,
  known: Known<PolicyDefinition>,
): PolicyDefinition {
  const pairings = known.map((one) => pairSlaSets(one?.slaSets ?? [], slaSets));
  return {
    name,
    slaSets: slaSets.map((slaSet, index) => restrictSet(slaSet, counterparts(pairings, index))),
    otherFields: only(otherFields, known),
  };
}

/** What each policy has of an item that is shown. */
function counterparts<Item>(pairings: Pairing<Item>[], index: number): Known<Item> {
  return pairings.map(({ pairs }) => pairs.find(({ afterIndex }) => afterIndex === index)?.before);
}

function restrictSet(shown: SlaSet, known: Known<SlaSet>): SlaSet {
  const pairings = known.map((one) => pairSlas(one?.slas ?? [], shown.slas));
  return {
    ...shown,
    slas: shown.slas.map((sla, index) => restrictSla(sla, counterparts(pairings, index))),
    otherFields: only(shown.otherFields, known),
  };
}

function restrictSla(shown: Sla, known: Known<Sla>): Sla {
  const durations = (key: 'rpoFrequency' | 'retentionDuration') =>
    restrictDuration(
      shown[key],
      known.map((one) => one?.[key]),
    );
  return {
    rpoFrequency: durations('rpoFrequency'),
    retentionDuration: durations('retentionDuration'),
    otherFields: only(shown.otherFields, known),
  };
}

function restrictDuration(shown: Duration | undefined, known: Known<Duration>) {
  return shown && { ...shown, otherFields: only(shown.otherFields, known) };
}

function only(
  shown: JsonObject = {},
  known: Known<{ otherFields?: JsonObject | undefined }>,
): JsonObject {
  const isKnown = (name: string) =>
    known.some((one) => Object.hasOwn(one?.otherFields ?? {}, name));
  return Object.fromEntries(Object.entries(shown).filter(([name]) => isKnown(name)));
}
