import type { PolicyDefinition } from '../../../../src/dataprotection/resources/policies.ts';

type Duration = NonNullable<PolicyDefinition['slaSets'][number]['slas'][number]['rpoFrequency']>;
type Sla = PolicyDefinition['slaSets'][number]['slas'][number];
type SlaSet = PolicyDefinition['slaSets'][number];

/** A promise of the old policy, and the SLA of the new one that covers it. */
type Kept = { old: Sla; now: Sla };

/**
 * Whether a change weakens, from the definition alone: there is no way to give each promise of the
 * old policy a promise of the new one that covers it, so that whatever is left over is readable and no
 * promise could be taken for another one. It tries every assignment and looks durations up in a
 * calendar; it shares no code with Belay.
 */
export function isWeakened(before: PolicyDefinition, after: PolicyDefinition): boolean {
  if (!fieldsKept(before.otherFields, after.otherFields, true)) return true;
  // Each SLA is an object of its own, so that equal ones can be told apart.
  const [old, now] = [structuredClone(before.slaSets), structuredClone(after.slaSets)];
  const isReadable = (slaSet: SlaSet) =>
    isReadableSet(slaSet) &&
    now.filter(({ operation }) => operation === slaSet.operation).length === 1;
  for (const kept of assignments(old, now, setAssignments, isReadable)) {
    if (!mayBeMistaken(now, kept)) return false;
  }
  return true;
}

/** Every way in which each old item gets a new item of its own that covers it. */
function* assignments<T>(
  old: T[],
  now: T[],
  covers: (old: T, now: T) => Iterable<Kept[]>,
  isReadable: (item: T) => boolean,
): Generator<Kept[], undefined> {
  const [first, ...rest] = old;
  if (first === undefined) {
    if (now.every(isReadable)) yield [];
    return;
  }
  for (const [index, candidate] of now.entries()) {
    for (const own of covers(first, candidate)) {
      const left = now.toSpliced(index, 1);
      for (const others of assignments(rest, left, covers, isReadable)) {
        yield [...own, ...others];
      }
    }
  }
}

function setAssignments(old: SlaSet, now: SlaSet): Iterable<Kept[]> {
  const startsInTime =
    old.seedSetting === now.seedSetting ||
    (old.seedSetting === 'window' && now.seedSetting === 'immediate');
  const isCovered =
    old.operation === now.operation && startsInTime && fieldsKept(old.otherFields, now.otherFields);
  return isCovered ? assignments(old.slas, now.slas, slaAssignments, isReadableSla) : [];
}

function slaAssignments(old: Sla, now: Sla): Kept[][] {
  const isCovered =
    fieldsKept(old.otherFields, now.otherFields) &&
    neverLonger(now.rpoFrequency, old.rpoFrequency) &&
    neverLonger(old.retentionDuration, now.retentionDuration);
  return isCovered ? [[{ old, now }]] : [];
}

/**
 * Whether a service could apply one SLA of the new policy where another one of its operation was meant,
 * and could not before: their backups can fall together, and they didn't have the same frequencies in
 * the same order.
 */
function mayBeMistaken(now: SlaSet[], kept: Kept[]): boolean {
  const slas = now.flatMap(({ operation, slas: own }) => own.map((sla) => ({ operation, sla })));
  return slas.some((one, index) =>
    slas.slice(index + 1).some((other) => {
      if (one.operation !== other.operation) return false;
      if (!mayFallTogether(one.sla.rpoFrequency, other.sla.rpoFrequency)) return false;
      const places = [one, other].map(({ sla }) =>
        kept.findIndex(
          (pair) => pair.now === sla && isSameLength(pair.old.rpoFrequency, sla.rpoFrequency),
        ),
      );
      const [first = -1, second = -1] = places;
      return first === -1 || second === -1 || first > second;
    }),
  );
}

function isSameLength(one: Duration | undefined, other: Duration | undefined): boolean {
  return neverLonger(one, other) && neverLonger(other, one);
}

function mayFallTogether(one: Duration | undefined, other: Duration | undefined): boolean {
  if (isPlain(one) && isPlain(other)) {
    return calendar.some((start) => endOf(start, one) === endOf(start, other));
  }
  const isOnDemand = (duration: Duration | undefined) =>
    duration?.units === 'on_demand' && fieldsKept({}, duration.otherFields);
  return !((isOnDemand(one) && isPlain(other)) || (isOnDemand(other) && isPlain(one)));
}

const operations = ['vmware_vm_backup', 'aws_ebs_volume_backup', 'aws_rds_resource_aws_snapshot'];

function isReadableSet({ operation = '', seedSetting = '', slas, otherFields }: SlaSet): boolean {
  const isKnown = operations.includes(operation) && ['immediate', 'window'].includes(seedSetting);
  const hasSlas = slas.length > 0 && slas.every(isReadableSla);
  return isKnown && hasSlas && fieldsKept({}, otherFields);
}

function isReadableSla({ rpoFrequency, retentionDuration, otherFields }: Sla): boolean {
  return isPlain(rpoFrequency) && isPlain(retentionDuration) && fieldsKept({}, otherFields);
}

/** Passed-through fields must stay as they were; a null says nothing. */
function fieldsKept(
  old: Record<string, unknown> | undefined,
  now: Record<string, unknown> | undefined,
  isPolicy = false,
): boolean {
  const names = [...Object.keys(old ?? {}), ...Object.keys(now ?? {})];
  return names.every((name) => {
    const [one, other] = [old?.[name] ?? null, now?.[name] ?? null];
    if (isPolicy && name === 'activation_status' && one === 'deactivated' && other === 'activated')
      return true;
    return fingerprint(one) === fingerprint(other);
  });
}

/** JSON with sorted keys, without nulls of passed-through fields. */
function fingerprint(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(fingerprint).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'missing';
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${key}:${fingerprint(member)}`).join()}}`;
}

const units = ['minute', 'hour', 'day', 'week', 'month', 'year'];

function unitOf({ units: unit = '' }: Duration): string | undefined {
  return units.find((one) => unit === one || unit === `${one}s`);
}

function isPlain(duration: Duration | undefined): duration is Duration {
  if (!duration || unitOf(duration) === undefined) return false;
  const { value = 0, otherFields = {} } = duration;
  return (
    Number.isInteger(value) && value > 0 && Object.values(otherFields).every((one) => one === null)
  );
}

/** Whether the first duration, from any day of the calendar, ends no later than the second. */
function neverLonger(one: Duration | undefined, other: Duration | undefined): boolean {
  const strip = (duration: Duration | undefined) =>
    duration && {
      units: duration.units,
      value: duration.value,
      others: Object.entries(duration.otherFields ?? {}).filter(([, value]) => value !== null),
    };
  if (fingerprint(strip(one)) === fingerprint(strip(other))) return true;
  if (!isPlain(one) || !isPlain(other)) return false;
  return calendar.every((start) => endOf(start, one) <= endOf(start, other));
}

/** Every fifth day of a cycle of leap years. */
const calendar = Array.from({ length: 300 }, (_, index) => Date.UTC(2023, 0, 1 + index * 5));

function endOf(start: number, duration: Duration): number {
  const { value = 0 } = duration;
  const minute = 60_000;
  switch (unitOf(duration)) {
    case 'minute':
      return start + value * minute;
    case 'hour':
      return start + value * 60 * minute;
    case 'day':
      return start + value * 24 * 60 * minute;
    case 'week':
      return start + value * 7 * 24 * 60 * minute;
    case 'year':
      return addMonths(start, 12 * value);
    default:
      return addMonths(start, value);
  }
}

/** The last day of the month where the day does not exist. */
function addMonths(start: number, months: number): number {
  const from = new Date(start);
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(from.getUTCDate(), lastDay));
}
