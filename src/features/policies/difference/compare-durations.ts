import type { Duration } from '../../../dataprotection/resources/policy-schema.ts';
import { canonicalDuration, hasOtherFields } from './canonical.ts';

/** `unknown`: the durations differ, and neither is certainly the longer one. */
export type Comparison = 'equal' | 'shorter' | 'longer' | 'unknown';

/** The units of both dialects (docs/service-interface.md, §2 and §10); all others are unknown. */
const minutesByUnit = new Map([
  ...withPlural('minute', 1),
  ...withPlural('hour', 60),
  ...withPlural('day', 24 * 60),
  ...withPlural('week', 7 * 24 * 60),
]);
const monthsByUnit = new Map([...withPlural('month', 1), ...withPlural('year', 12)]);

const minutesPerDay = 24 * 60;
/** Larger values would not be computed exactly. */
const maxValue = 1_000_000_000;

/**
 * How the second duration compares with the first. Months and years have no fixed length, so they
 * compare with days only where every calendar agrees: 1 month is longer than 27 days, and neither
 * shorter nor longer than 30.
 */
export function compareDurations(
  before: Duration | undefined,
  after: Duration | undefined,
): Comparison {
  if (canonicalDuration(before) === canonicalDuration(after)) return 'equal';
  const [one, other] = [lengthOf(before), lengthOf(after)];
  if (!one || !other) return 'unknown';
  if (one.months !== undefined && other.months !== undefined) {
    return compareNumbers(one.months, other.months);
  }
  if (one.min === other.max && one.max === other.min) return 'equal';
  if (other.max <= one.min) return 'shorter';
  return other.min >= one.max ? 'longer' : 'unknown';
}

/**
 * Whether backups of two frequencies can fall together, as for 30 days and 1 month. Backups on demand
 * have no frequency. About what Belay doesn't understand, the answer is yes.
 */
export function mayFallTogether(one: Duration | undefined, other: Duration | undefined): boolean {
  const [length, otherLength] = [lengthOf(one), lengthOf(other)];
  if (!length) return !(otherLength && isOnDemand(one));
  if (!otherLength) return !isOnDemand(other);
  if (length.months !== undefined && otherLength.months !== undefined) {
    return length.months === otherLength.months;
  }
  return length.min <= otherLength.max && otherLength.min <= length.max;
}

function isOnDemand(duration: Duration | undefined): boolean {
  return duration?.units === 'on_demand' && !hasOtherFields(duration);
}

/** In minutes: the shortest and the longest that it can be. `months` if it counts those. */
type Length = { min: number; max: number; months?: number };

/** Undefined for a duration that Belay does not understand in full. */
function lengthOf(duration: Duration | undefined): Length | undefined {
  if (duration?.units === undefined || duration.value === undefined) return undefined;
  const { units, value } = duration;
  if (!Number.isInteger(value) || value < 1 || value > maxValue) return undefined;
  // Such as the days of a week: they change what the value means.
  if (hasOtherFields(duration)) return undefined;
  const minutes = minutesByUnit.get(units);
  if (minutes !== undefined) return { min: value * minutes, max: value * minutes };
  const perUnit = monthsByUnit.get(units);
  if (perUnit === undefined) return undefined;
  const months = value * perUnit;
  const [years, rest] = [Math.floor(months / 12), months % 12];
  return {
    min: (365 * years + 28 * rest) * minutesPerDay,
    max: (366 * years + 31 * rest) * minutesPerDay,
    months,
  };
}

function compareNumbers(one: number, other: number): Comparison {
  if (one === other) return 'equal';
  return other < one ? 'shorter' : 'longer';
}

function withPlural(unit: string, count: number): [string, number][] {
  return [
    [unit, count],
    [`${unit}s`, count],
  ];
}
