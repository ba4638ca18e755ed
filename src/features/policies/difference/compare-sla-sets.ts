import type { JsonObject } from '../../../dataprotection/json.ts';
import type { Duration, Sla, SlaSet } from '../../../dataprotection/resources/policy-schema.ts';
import {
  formatFrequency,
  formatOperation,
  formatRetention,
  formatSeedSetting,
  unsaidInFrequency,
} from '../views/format-policy.ts';
import { canonicalSla, hasOtherFields, isSameValue } from './canonical.ts';
import { compareDurations } from './compare-durations.ts';
import { compareFields } from './compare-fields.ts';
import { isReordered, type Pairing, pairItems } from './pair-items.ts';
import type { PolicyChange } from './policy-change.ts';

/** The changes of one SLA set. */
export function compareSlaSets(before: SlaSet, after: SlaSet, place: string): PolicyChange[] {
  const [start, startAfter] = [before.seedSetting, after.seedSetting];
  // A first backup that waits for its window comes later; about any other setting Belay can't tell.
  const weight = start === 'window' && startAfter === 'immediate' ? 'stronger' : 'weaker';
  const operation = { place, label: 'Operation', weight: 'weaker' as const };
  const firstBackup = { place, label: 'First backup', weight } as const;
  return [
    ...compareTexts(operation, before.operation, after.operation, formatOperation),
    ...compareTexts(firstBackup, start, startAfter, formatSeedSetting),
    ...compareSlas(before.slas, after.slas, place),
    ...compareFields(before.otherFields, after.otherFields, place),
  ];
}

function compareTexts(
  line: Pick<PolicyChange, 'place' | 'label' | 'weight'>,
  before: string | undefined,
  after: string | undefined,
  format: (text: string | undefined) => string,
): PolicyChange[] {
  return before === after ? [] : [{ ...line, ...distinct(before, after, format) }];
}

export function pairSlas(before: Sla[], after: Sla[]): Pairing<Sla> {
  return pairItems(before, after, {
    canonical: canonicalSla,
    rounds: [() => true],
    distance: (one, other) =>
      Number(!isSameValue(one.rpoFrequency, other.rpoFrequency)) +
      Number(!isSameValue(one.retentionDuration, other.retentionDuration)),
  });
}

function compareSlas(before: Sla[], after: Sla[], place: string): PolicyChange[] {
  const pairing = pairSlas(before, after);
  const { pairs, removed, added } = pairing;
  return [
    ...pairs.flatMap((pair) => {
      const isOnly = before.length === 1 && after.length === 1;
      const where = isOnly ? place : `${place}, SLA ${pair.afterIndex + 1}`;
      return compareSla(pair.before, pair.after, where);
    }),
    ...removed.map(
      ({ item }): PolicyChange => ({
        place,
        label: 'SLA',
        before: formatSla(item),
        after: undefined,
        weight: 'weaker',
      }),
    ),
    ...added.flatMap(({ item, index }): PolicyChange[] => [
      {
        place,
        label: 'SLA',
        before: undefined,
        after: formatSla(item),
        weight: isUnderstood(item) ? 'stronger' : 'weaker',
      },
      ...describeFields(item, `${place}, SLA ${index + 1}`),
    ]),
    ...(isReordered(pairing) ? [reordered(place, 'Order of SLAs')] : []),
  ];
}

/** The fields of an added SLA that its words don't say. */
export function describeFields(
  { rpoFrequency = {}, retentionDuration = {}, otherFields }: Sla,
  place: string,
): PolicyChange[] {
  return [
    ...compareFields({}, otherFields, place),
    ...compareFields({}, unsaidInFrequency(rpoFrequency), `${place}, frequency`),
    ...compareFields({}, retentionDuration.otherFields, `${place}, retention`),
  ];
}

/** Order has no meaning to the service; the line is there because the body differs. */
export function reordered(place: string, label: string): PolicyChange {
  return { place, label, before: 'current order', after: 'new order', weight: 'neutral' };
}

function compareSla(before: Sla, after: Sla, place: string): PolicyChange[] {
  return [
    ...compareDuration('Frequency', before.rpoFrequency, after.rpoFrequency, {
      place,
      format: formatFrequency,
      unsaid: unsaidInFrequency,
      better: 'shorter',
    }),
    ...compareDuration('Retention', before.retentionDuration, after.retentionDuration, {
      place,
      format: formatRetention,
      better: 'longer',
      unsaid: ({ otherFields }) => otherFields,
    }),
    ...compareFields(before.otherFields, after.otherFields, place),
  ];
}

function compareDuration(
  label: string,
  before: Duration | undefined,
  after: Duration | undefined,
  {
    place,
    format,
    unsaid,
    better,
  }: {
    place: string;
    format: (duration: Duration | undefined) => string;
    unsaid: (duration: Duration) => JsonObject | undefined;
    better: 'shorter' | 'longer';
  },
): PolicyChange[] {
  if (isSameValue(before, after)) return [];
  const comparison = compareDurations(before, after);
  const weight = comparison === 'equal' ? 'neutral' : comparison === better ? 'stronger' : 'weaker';
  const line: PolicyChange = { place, label, ...distinct(before, after, format), weight };
  // JSON, which is shown where the words are the same, has all fields.
  if (format(before) === format(after)) return [line];
  const [fields, fieldsAfter] = [unsaid(before ?? {}), unsaid(after ?? {})];
  return [line, ...compareFields(fields, fieldsAfter, `${place}, ${label.toLowerCase()}`)];
}

/** Both in words or, where the words hide the difference, as JSON. */
function distinct<T>(
  before: T | undefined,
  after: T | undefined,
  format: (value: T | undefined) => string,
): Pick<PolicyChange, 'before' | 'after'> {
  const show = (value: T | undefined) => (value === undefined ? undefined : format(value));
  const [one, other] = [show(before), show(after)];
  if (one !== other) return { before: one, after: other };
  return { before: JSON.stringify(before), after: JSON.stringify(after) };
}

export function formatSla({ rpoFrequency, retentionDuration }: Sla): string {
  return `${formatFrequency(rpoFrequency)} · keep ${formatRetention(retentionDuration)}`;
}

/** Whether Belay knows what every part of the SLA means. */
export function isUnderstood(sla: Sla): boolean {
  const isKnown = (duration: Duration | undefined) =>
    compareDurations({ units: 'minutes', value: 1 }, duration) !== 'unknown';
  return isKnown(sla.rpoFrequency) && isKnown(sla.retentionDuration) && !hasOtherFields(sla);
}
